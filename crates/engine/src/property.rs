//! Properties as error edges.

use robusto_cfa::ir::{Edge, EdgeId, ErrorKind, FuncId, Function, Idx, LocId, Op, Program, SrcPos};
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
    /// Each error call, each assertion, and each label whose name begins with `error` is a property of its own.
    All,
}

/// A text that names no property.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a property; there are `unreach-call`, `assert`, `label:NAME`, `all`, and property files")]
pub struct UnknownProperty(String);

impl FromStr for Property {
    type Err = UnknownProperty;

    fn from_str(text: &str) -> Result<Self, UnknownProperty> {
        match text {
            "unreach-call" => Ok(Property::UnreachCall),
            "assert" => Ok(Property::Assert),
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
            Property::All => f.write_str("all"),
        }
    }
}

impl Property {
    /// Reads the text of a property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub fn from_prp(text: &str) -> Result<Self, UnknownProperty> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let error_call = ["LTL(G!call(reach_error()))", "LTL(G!call(__VERIFIER_error()))"];
        if error_call.iter().any(|call| compact.contains(call)) {
            return Ok(Property::UnreachCall);
        }
        if let Some(at) = compact.find("LTL(G!label(") {
            let name: String = compact[at + 12..].chars().take_while(|c| *c != ')').collect();
            return Ok(Property::Label(name));
        }
        Err(UnknownProperty(text.trim().to_owned()))
    }
}

/// One way to violate a property: an error edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// A name for the user: the label in front of it, else what it is and its line.
    pub name: String,
    /// The kind of violation.
    pub kind: ErrorKind,
    /// The error edge.
    pub edge: (FuncId, EdgeId),
    /// Where it stands.
    pub pos: SrcPos,
}

/// Makes the property's violations the only error edges: labels become some, other errors just end the program.
pub fn instrument(program: &mut Program, property: &Property) {
    for id in program.functions.ids() {
        let function = &program.functions[id];
        let marked: Vec<(LocId, SrcPos)> = function
            .labels
            .iter()
            .filter(|label| match property {
                Property::Label(name) => &*label.name == name.as_str(),
                Property::All => label.name.to_ascii_lowercase().starts_with("error"),
                Property::UnreachCall | Property::Assert => false,
            })
            .map(|label| (label.loc, label.pos))
            .collect();
        let counts = |kind: ErrorKind| match property {
            Property::UnreachCall => kind == ErrorKind::ReachError,
            Property::Assert => kind == ErrorKind::Assert,
            Property::Label(_) => false,
            Property::All => true,
        };
        program.functions[id].map_ops(|op| {
            if let Op::Error(kind) = op
                && !counts(*kind)
            {
                *op = Op::Halt { status: None };
            }
        });
        if !marked.is_empty() {
            replace_marked(&mut program.functions[id], &marked);
        }
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting the property");
}

/// What leaves a marked location becomes an error edge, unless it is one.
fn replace_marked(function: &mut Function, marked: &[(LocId, SrcPos)]) {
    let mut header = std::mem::replace(function, Function::header("", SrcPos::default()));
    let mut locations = header.num_locs();
    let mut edges = header.take_edges();
    for &(loc, pos) in marked {
        let is_error = edges.iter().any(|e| e.src == loc && matches!(e.op, Op::Error(_)));
        if is_error || loc == header.exit {
            continue;
        }
        edges.retain(|e| e.src != loc);
        edges.push(Edge { src: loc, dst: LocId::new(locations), op: Op::Error(ErrorKind::Label), pos });
        locations += 1;
    }
    *function = robusto_cfa::ir::rebuild(header, locations, edges);
}

/// The error edges of an instrumented program, by position.
pub fn targets(program: &Program) -> Vec<Target> {
    let mut targets = Vec::new();
    for (id, function) in program.functions.enumerate() {
        for (edge_id, edge) in function.edges().enumerate() {
            let Op::Error(kind) = edge.op else { continue };
            let label = function.labels.iter().find(|l| l.loc == edge.src).map(|l| l.name.to_string());
            let what = match kind {
                ErrorKind::ReachError => "error call",
                ErrorKind::Assert => "assertion",
                ErrorKind::Overflow => "signed overflow",
                ErrorKind::DivByZero => "division by zero",
                ErrorKind::Label => "label",
            };
            let name = label.unwrap_or_else(|| format!("{what} in {}", function.name));
            targets.push(Target { name, kind, edge: (id, edge_id), pos: edge.pos });
        }
    }
    targets.sort_by_key(|t| (t.pos.file, t.pos.line, t.pos.column, t.edge));
    targets
}
