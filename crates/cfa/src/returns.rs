//! Returned values as variables.
//!
//! An engine that steps from a function's exit back to its caller needs the returned value at the exit. This
//! transformation gives each function that returns a value a variable for it, assigned on every path to the exit.

use crate::ir::{Edge, Expr, FuncId, Idx, IdxVec, LocId, Op, Program, SrcPos, Var, VarId, VarKind};

/// For each function that returns a value, the variable that holds it at the exit.
pub type Results = IdxVec<FuncId, Option<VarId>>;

/// Makes every `Return` return its function's result variable.
pub fn explicit(program: &mut Program) -> Results {
    let mut results = IdxVec::filled(None, program.functions.len());
    for id in program.functions.ids() {
        let Some(ty) = program.functions[id].ret else { continue };
        let name = format!("{}$result", program.functions[id].name);
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
