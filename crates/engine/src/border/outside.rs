//! Pointers from outside that lead to memory.
//!
//! Where an execution is looked for that makes an access invalid though nobody asked, a pointer variable that takes its value from outside leads to
//! memory outside of the program: that it could as well be null says nothing against the program. Executions in which it is another number
//! are left out, which a search may do.

use super::rebuild;
use robusto_cfa::ir::{Claim, Edge, HavocSource, Op, Program, Ty};

/// Lets pointers from outside lead to memory.
pub(crate) fn lead_outside(program: &mut Program) {
    let ty = |program: &Program, op: &Op| match *op {
        Op::Havoc { var, source } if program.vars[var].ty == Ty::Ptr && is_outside(source) => Some(var),
        _ => None,
    };
    for id in program.functions.ids() {
        if !program.functions[id].edges().iter().any(|edge| ty(program, &edge.op).is_some()) {
            continue;
        }
        rebuild(program, id, |builder, edges| {
            for edge in edges {
                let Some(var) = ty(builder.program, &edge.op) else {
                    builder.edges.push(edge);
                    continue;
                };
                let exprs = &mut builder.program.exprs;
                let (pointer, one) = (exprs.var(var), exprs.size(1));
                let cond = exprs.holds(Claim::Readable, pointer, one);
                let taken = builder.location();
                builder.edge(taken, edge.dst, Op::Assume { cond, truth: true }, edge.pos);
                builder.edges.push(Edge { dst: taken, ..edge });
            }
        });
    }
    robusto_cfa::verify::assert_valid(program, "pointers from outside");
}

fn is_outside(source: HavocSource) -> bool {
    match source {
        HavocSource::Input
        | HavocSource::Uninit
        | HavocSource::External(_)
        | HavocSource::Written(..)
        | HavocSource::Volatile
        | HavocSource::Order
        | HavocSource::Unmodelled => true,
        HavocSource::Violation
        | HavocSource::Precision
        | HavocSource::Undefined
        | HavocSource::Ended
        | HavocSource::Allocation => false,
    }
}
