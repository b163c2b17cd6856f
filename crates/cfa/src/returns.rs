//! Returned values as variables.
//!
//! An engine that steps from a function's exit back to its caller needs the returned value at the exit. This
//! transformation gives each function that returns a value a variable for it, assigned on every path to the exit.

use crate::ir::{Edge, Expr, FuncId, Idx, IdxVec, LocId, Op, Program, SrcPos, Var, VarId, VarKind};

/// For each function that returns a value, the variable that holds it at the exit.
pub type Results = IdxVec<FuncId, Option<VarId>>;

/// Makes every `Return` return its function's result variable; where they do already, nothing changes.
pub fn explicit(program: &mut Program) -> Results {
    let mut results = IdxVec::filled(None, program.functions.len());
    for id in program.functions.ids() {
        let Some(ty) = program.functions[id].ret else { continue };
        let name = format!("{}$result", program.functions[id].name);
        if let Some(var) = result_of(program, id, &name) {
            results[id] = Some(var);
            continue;
        }
        let kind = VarKind::Temp(id);
        let var = program.vars.push(Var { name: name.into(), ty, signed: true, kind, pos: SrcPos::default() });
        program.exprs.declare(var, ty);
        let result = program.exprs.intern(Expr::Var(var));
        let function = &mut program.functions[id];
        function.locals.push(var);
        let mut locations = function.num_locs();
        let mut edges = Vec::new();
        for edge in function.take_edges() {
            let Op::Return { value: Some(value) } = edge.op else {
                edges.push(edge);
                continue;
            };
            let middle = LocId::new(locations);
            locations += 1;
            edges.push(Edge { src: edge.src, dst: middle, op: Op::Assign { var, value }, pos: edge.pos });
            edges.push(Edge { src: middle, dst: edge.dst, op: Op::Return { value: Some(result) }, pos: edge.pos });
        }
        let header = std::mem::replace(function, crate::ir::Function::header("", SrcPos::default()));
        *function = crate::ir::rebuild(header, locations, edges);
        results[id] = Some(var);
    }
    crate::verify::assert_valid(program, "making returned values explicit");
    results
}

/// The variable that all returns of a function return, if it is one for that.
fn result_of(program: &Program, id: FuncId, name: &str) -> Option<VarId> {
    let mut returned = program.functions[id].edges().iter().filter_map(|edge| match edge.op {
        Op::Return { value: Some(value) } => Some(match program.exprs.get(value) {
            Expr::Var(var) => Some(var),
            _ => None,
        }),
        _ => None,
    });
    let first = returned.next()??;
    let is_result = |var: VarId| program.vars[var].kind == VarKind::Temp(id) && &*program.vars[var].name == name;
    (is_result(first) && returned.all(|var| var == Some(first))).then_some(first)
}
