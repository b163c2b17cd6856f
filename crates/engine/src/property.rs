//! Properties as error edges.

use robusto_cfa::Checks;
use robusto_cfa::ir::{
    Edge, EdgeId, ErrorKind, FuncId, Function, HavocSource, Idx, LocId, Op, Program, SrcPos, Ty, Var, VarKind,
};
use robusto_verdict::{EdgeNumber, Place, Property, Target, Violation};

/// The undefined arithmetic that the lowering must turn into error edges for a property.
pub fn checks(property: &Property) -> Checks {
    Checks {
        overflow: property.counts(Violation::Overflow),
        div_by_zero: property.counts(Violation::DivByZero),
        shift: property.counts(Violation::BadShift),
        scopes: true,
        calls: property.counts(Violation::Deref),
        arguments: true,
        reads: property.counts(Violation::Uninit),
        go_on: property.has_many_verdicts(),
    }
}

/// The edge of a target.
pub fn edge_of(target: &Target) -> (FuncId, EdgeId) {
    let EdgeNumber { function, edge } = target.edge;
    (FuncId::new(function as usize), EdgeId::new(edge as usize))
}

/// A place of the program as reports have it.
pub(crate) fn place(pos: SrcPos) -> Place {
    let SrcPos { file, column, line } = pos;
    Place { file, column, line }
}

/// What an error edge violates.
fn violation(kind: ErrorKind) -> Violation {
    match kind {
        ErrorKind::ReachError => Violation::ErrorCall,
        ErrorKind::Assert => Violation::Assertion,
        ErrorKind::Overflow => Violation::Overflow,
        ErrorKind::DivByZero => Violation::DivByZero,
        ErrorKind::BadShift => Violation::BadShift,
        ErrorKind::Deref => Violation::Deref,
        ErrorKind::Free => Violation::Free,
        ErrorKind::Track => Violation::Track,
        ErrorKind::Cleanup => Violation::Cleanup,
        ErrorKind::Uninit => Violation::Uninit,
        ErrorKind::Label => Violation::Label,
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
                && !property.counts(violation(*kind))
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

/// All errors become ends of the program.
pub(crate) fn end_at_errors(program: &mut Program) {
    for id in program.functions.ids() {
        program.functions[id].map_ops(|op| {
            if matches!(op, Op::Error(_)) {
                *op = Op::Halt { status: None };
            }
        });
    }
}

/// All ends of the program become errors: where it halts, where an error ends it, and where its start returns.
pub(crate) fn ends_are_errors(program: &mut Program) {
    for id in program.functions.ids() {
        let is_start = program.main == Some(id);
        let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
        let mut locations = header.num_locs();
        let mut edges = header.take_edges();
        for edge in &mut edges {
            let ends = match edge.op {
                Op::Halt { .. } | Op::Error(_) => true,
                Op::Return { .. } => is_start,
                _ => false,
            };
            if ends {
                edge.op = Op::Error(ErrorKind::ReachError);
                edge.dst = LocId::new(locations);
                locations += 1;
            }
        }
        program.functions[id] = robusto_cfa::ir::rebuild(header, locations, edges);
    }
    robusto_cfa::verify::assert_valid(program, "looking for ends");
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
            let number = EdgeNumber { function: id.index() as u32, edge: edge_id.index() as u32 };
            let kind = match edge.op {
                Op::Error(kind) => kind,
                Op::Unsupported(ref what) => {
                    let name = format!("{what} in {}", function.name);
                    targets.push(Target { name, kind: None, edge: number, pos: place(edge.pos) });
                    continue;
                }
                _ => continue,
            };
            let label = function.labels.iter().find(|l| l.loc == edge.src).map(|l| l.name.to_string());
            let name = label.unwrap_or_else(|| format!("{} in {}", kind.describe(), function.name));
            targets.push(Target { name, kind: Some(violation(kind)), edge: number, pos: place(edge.pos) });
        }
    }
    targets.sort_by_key(|t| (t.pos.file, t.pos.line, t.pos.column, t.edge));
    targets
}
