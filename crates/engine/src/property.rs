//! Properties as error edges.

use robusto_cfa::Checks;
use robusto_cfa::ir::{
    Edge, EdgeId, ErrorKind, FuncId, Function, HavocSource, Idx, LocId, Op, Program, SrcPos, Ty, Var, VarKind,
};
use std::fmt;
use std::str::FromStr;

/// What is to be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// `reach_error()` and `__VERIFIER_error()` are never called.
    UnreachCall,
    /// No `assert` fails.
    Assert,
    /// No label of this name is reached.
    Label(String),
    /// No signed arithmetic overflows.
    NoOverflow,
    /// Nothing is divided by zero.
    DivByZero,
    /// Each error call, each assertion, each label whose name begins with `error`, and each operation that may overflow
    /// or divide by zero is a property of its own.
    All,
    /// Each violation of one of these is a property of its own.
    Several(Vec<Property>),
}

/// A text that names no property.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a property; there are `unreach-call`, `assert`, `label:NAME`, `no-overflow`, `div-by-zero`, `all`, \
     and property files"
)]
pub struct UnknownProperty(String);

impl FromStr for Property {
    type Err = UnknownProperty;

    fn from_str(text: &str) -> Result<Self, UnknownProperty> {
        match text {
            "unreach-call" => Ok(Property::UnreachCall),
            "assert" => Ok(Property::Assert),
            "no-overflow" => Ok(Property::NoOverflow),
            "div-by-zero" => Ok(Property::DivByZero),
            "all" => Ok(Property::All),
            _ => match text.strip_prefix("label:") {
                Some(name) if !name.is_empty() => Ok(Property::Label(name.to_owned())),
                _ => Err(UnknownProperty(text.to_owned())),
            },
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::UnreachCall => f.write_str("unreach-call"),
            Property::Assert => f.write_str("assert"),
            Property::Label(name) => write!(f, "label:{name}"),
            Property::NoOverflow => f.write_str("no-overflow"),
            Property::DivByZero => f.write_str("div-by-zero"),
            Property::All => f.write_str("all"),
            Property::Several(list) => {
                for (i, property) in list.iter().enumerate() {
                    write!(f, "{}{property}", if i > 0 { "," } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl Property {
    /// Reads the text of a property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub fn from_prp(text: &str) -> Result<Self, UnknownProperty> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut found: Vec<Property> = Vec::new();
        for formula in compact.split("LTL(").skip(1) {
            let is = |wanted: &[&str]| wanted.iter().any(|w| formula.starts_with(w));
            let property = if is(&["G!call(reach_error())", "G!call(__VERIFIER_error())"]) {
                Property::UnreachCall
            } else if is(&["G!overflow)"]) {
                Property::NoOverflow
            } else if is(&["G!assert-failure)"]) {
                Property::Assert
            } else if is(&["G!division-by-zero)"]) {
                Property::DivByZero
            } else if is(&["G!error)"]) {
                Property::All
            } else if let Some(rest) = formula.strip_prefix("G!label(") {
                Property::Label(rest.chars().take_while(|c| *c != ')').collect())
            } else {
                return Err(UnknownProperty(text.trim().to_owned()));
            };
            if !found.contains(&property) {
                found.push(property);
            }
        }
        Self::together(found).ok_or_else(|| UnknownProperty(text.trim().to_owned()))
    }

    /// The text of a property file. What SV-COMP has no formula for has one of ours.
    pub fn to_prp(&self) -> String {
        let check = |formula: &str| format!("CHECK( init(main()), LTL(G ! {formula}) )");
        match self {
            Property::UnreachCall => check("call(reach_error())"),
            Property::NoOverflow => check("overflow"),
            Property::Assert => check("assert-failure"),
            Property::DivByZero => check("division-by-zero"),
            Property::Label(name) => check(&format!("label({name})")),
            Property::All => check("error"),
            Property::Several(list) => list.iter().map(Property::to_prp).collect::<Vec<_>>().join("\n"),
        }
    }

    /// All of these as one property; none if the list is empty.
    pub fn together(mut list: Vec<Property>) -> Option<Property> {
        if list.contains(&Property::All) {
            return Some(Property::All);
        }
        match list.len() {
            0 => None,
            1 => list.pop(),
            _ => Some(Property::Several(list)),
        }
    }

    /// Whether each violation has a verdict of its own; else the first one found decides.
    pub fn has_many_verdicts(&self) -> bool {
        matches!(self, Property::All | Property::Several(_))
    }

    /// The undefined arithmetic that the lowering must turn into error edges.
    pub fn checks(&self) -> Checks {
        match self {
            Property::UnreachCall | Property::Assert | Property::Label(_) => Checks::NONE,
            Property::NoOverflow => Checks { overflow: true, ..Checks::NONE },
            Property::DivByZero => Checks { div_by_zero: true, ..Checks::NONE },
            Property::All => Checks { overflow: true, div_by_zero: true, go_on: true },
            Property::Several(list) => {
                let all = list.iter().fold(Checks::NONE, |all, p| all.union(p.checks()));
                Checks { go_on: true, ..all }
            }
        }
    }

    /// Whether an error edge of this kind is a violation. Labels are no error edges yet when this is asked.
    fn counts(&self, kind: ErrorKind) -> bool {
        match self {
            Property::UnreachCall => kind == ErrorKind::ReachError,
            Property::Assert => kind == ErrorKind::Assert,
            Property::NoOverflow => kind == ErrorKind::Overflow,
            Property::DivByZero => kind == ErrorKind::DivByZero,
            Property::Label(_) => false,
            Property::All => true,
            Property::Several(list) => list.iter().any(|p| p.counts(kind)),
        }
    }

    /// Whether reaching a label of this name is a violation.
    fn marks(&self, label: &str) -> bool {
        match self {
            Property::Label(name) => label == name,
            Property::All => label.to_ascii_lowercase().starts_with("error"),
            Property::UnreachCall | Property::Assert | Property::NoOverflow | Property::DivByZero => false,
            Property::Several(list) => list.iter().any(|p| p.marks(label)),
        }
    }
}

/// One way to violate a property: an error edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// A name for the user: the label in front of it, else what it is and its line.
    pub name: String,
    /// The kind of violation; `None` for a step that is not modelled, behind which there may be anything.
    pub kind: Option<ErrorKind>,
    /// The error edge, or the step that is not modelled.
    pub edge: (FuncId, EdgeId),
    /// Where it stands.
    pub pos: SrcPos,
}

impl Target {
    /// Whether reaching it violates a property. If not, reaching it leaves all properties open.
    pub fn is_violation(&self) -> bool {
        self.kind.is_some()
    }

    /// The name of the property that it violates.
    pub fn property(&self) -> String {
        match self.kind {
            Some(ErrorKind::ReachError) => "unreach-call".to_owned(),
            Some(ErrorKind::Assert) => "assert".to_owned(),
            Some(ErrorKind::Overflow) => "no-overflow".to_owned(),
            Some(ErrorKind::DivByZero) => "div-by-zero".to_owned(),
            Some(ErrorKind::Label) => format!("label:{}", self.name),
            None => "none".to_owned(),
        }
    }
}

/// Makes the property's violations the only error edges: labels become some, other errors just end the program.
///
/// With one verdict, an execution ends at its first violation. Where each violation has its own, an execution may go on
/// behind one that does not end the program by itself (a label, an overflow, a call of a function that returns), so that
/// what lies behind it is found too: the lowering, and this function for labels, puts a choice there
/// ([`HavocSource::Violation`]).
pub fn instrument(program: &mut Program, property: &Property) {
    let several = property.has_many_verdicts();
    for id in program.functions.ids() {
        let function = &program.functions[id];
        let marked: Vec<(LocId, SrcPos)> = function
            .labels
            .iter()
            .filter(|label| property.marks(&label.name))
            .map(|label| (label.loc, label.pos))
            .collect();
        program.functions[id].map_ops(|op| {
            if let Op::Error(kind) = op
                && !property.counts(*kind)
            {
                *op = Op::Halt { status: None };
            }
        });
        if !marked.is_empty() {
            replace_marked(program, id, &marked, several);
        }
        decide_choices(program, id, several);
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting the property");
}

/// What leaves a marked location becomes an error edge, unless it is one; if executions are to go on, one of two.
fn replace_marked(program: &mut Program, id: FuncId, marked: &[(LocId, SrcPos)], go_on: bool) {
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let mut locations = header.num_locs();
    let mut edges = header.take_edges();
    for &(loc, pos) in marked {
        let is_error = edges.iter().any(|e| e.src == loc && matches!(e.op, Op::Error(_)));
        if is_error || loc == header.exit {
            continue;
        }
        let [choice, bad, end, on] = [0, 1, 2, 3].map(|i| LocId::new(locations + i));
        locations += 4;
        let error = Op::Error(ErrorKind::Label);
        if !go_on {
            edges.retain(|e| e.src != loc);
            edges.push(Edge { src: loc, dst: end, op: error, pos });
            continue;
        }
        for edge in edges.iter_mut().filter(|e| e.src == loc) {
            edge.src = on;
        }
        // The error keeps the label's name.
        for label in header.labels.iter_mut().filter(|label| label.loc == loc) {
            label.loc = bad;
        }
        let kind = VarKind::Temp(id);
        let var = program.vars.push(Var { name: "passed".into(), ty: Ty::BOOL, signed: false, kind, pos });
        program.exprs.declare(var, Ty::BOOL);
        header.locals.push(var);
        let cond = program.exprs.var(var);
        let source = HavocSource::Violation;
        edges.push(Edge { src: loc, dst: choice, op: Op::Havoc { var, source }, pos });
        edges.push(Edge { src: choice, dst: on, op: Op::Assume { cond, truth: true }, pos });
        edges.push(Edge { src: choice, dst: bad, op: Op::Assume { cond, truth: false }, pos });
        edges.push(Edge { src: bad, dst: end, op: error, pos });
    }
    program.functions[id] = robusto_cfa::ir::rebuild(header, locations, edges);
}

/// Where one violation is enough: a choice between stopping at a violation and going on is decided for stopping, if what is
/// violated is asked for, else for going on. What the precision of `long double` decides is not known in any case.
fn decide_choices(program: &mut Program, id: FuncId, several: bool) {
    let function = &program.functions[id];
    let is_choice = |op: &Op| match op {
        Op::Havoc { source: HavocSource::Violation, .. } => !several,
        Op::Havoc { source: HavocSource::Precision, .. } => true,
        _ => false,
    };
    if !function.edges().iter().any(|e| is_choice(&e.op)) {
        return;
    }
    let mut decided = Vec::new();
    for edge in function.edges().iter().filter(|e| is_choice(&e.op)) {
        let to = |wanted: bool| {
            let mut out = function.out(edge.dst);
            out.find(|(_, e)| matches!(e.op, Op::Assume { truth, .. } if truth == wanted)).map(|(_, e)| e.dst)
        };
        let (Some(on), Some(bad)) = (to(true), to(false)) else { continue };
        if matches!(edge.op, Op::Havoc { source: HavocSource::Precision, .. }) {
            decided.push((edge.src, on));
            continue;
        }
        let asked_for = function.out(bad).any(|(_, e)| matches!(e.op, Op::Error(_)));
        decided.push((edge.src, if asked_for { bad } else { on }));
    }
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let locations = header.num_locs();
    let mut edges = header.take_edges();
    for edge in &mut edges {
        if let Some(&(_, dst)) = decided.iter().find(|(src, _)| *src == edge.src) {
            (edge.dst, edge.op) = (dst, Op::Skip);
        }
    }
    program.functions[id] = robusto_cfa::ir::rebuild(header, locations, edges);
}

/// The error edges of an instrumented program and the steps that are not modelled, by position.
pub fn targets(program: &Program) -> Vec<Target> {
    let mut targets = Vec::new();
    for (id, function) in program.functions.enumerate() {
        for (edge_id, edge) in function.edges().enumerate() {
            let kind = match edge.op {
                Op::Error(kind) => kind,
                Op::Unsupported(ref what) => {
                    let name = format!("{what} in {}", function.name);
                    targets.push(Target { name, kind: None, edge: (id, edge_id), pos: edge.pos });
                    continue;
                }
                _ => continue,
            };
            let label = function.labels.iter().find(|l| l.loc == edge.src).map(|l| l.name.to_string());
            let what = match kind {
                ErrorKind::ReachError => "error call",
                ErrorKind::Assert => "assertion",
                ErrorKind::Overflow => "signed overflow",
                ErrorKind::DivByZero => "division by zero",
                ErrorKind::Label => "label",
            };
            let name = label.unwrap_or_else(|| format!("{what} in {}", function.name));
            targets.push(Target { name, kind: Some(kind), edge: (id, edge_id), pos: edge.pos });
        }
    }
    targets.sort_by_key(|t| (t.pos.file, t.pos.line, t.pos.column, t.edge));
    targets
}
