//! Addresses that cannot come from outside of the program.
//!
//! Memory outside of the program has addresses, and the number of a pointer does not tell where it comes from: `a[i]` with a large enough index has the number of a
//! byte that a pointer from outside could lead to. Points-to analysis tells it apart. An access there that is none of the program's
//! objects ends the execution, in the replay as in the engines; and one at an address that is computed from a named object's must lie in that object.
//!
//! Soundness: a pointer that comes from outside has [`Base::Unknown`](robusto_cfa::analysis::points_to::Base::Unknown) among its targets.

use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, ExprId, Op, Outside};
use rustc_hash::FxHashSet;

/// The addresses of accesses, and of claims about them, that may leave the program's objects, and lead to no memory outside then.
pub(crate) fn own_addresses(facts: &Facts) -> FxHashSet<ExprId> {
    let program = &facts.program;
    let mut own = FxHashSet::default();
    if program.outside == Outside::Nowhere {
        return own;
    }
    let mut consider = |address: ExprId| {
        let targets = facts.points_to.of_expr(address);
        let stays = |base: Base| !matches!(base, Base::Unknown | Base::Indeterminate);
        let is_exact = targets.iter().all(|target| stays(target.base) && target.offset.as_exact().is_some());
        if !targets.may_be_unknown() && !is_exact {
            own.insert(address);
        }
    };
    for id in program.exprs.ids() {
        if let Expr::Load(_, address) | Expr::Holds(_, address, _) = program.exprs.get(id) {
            consider(address);
        }
    }
    for edge in program.functions.iter().flat_map(|function| function.edges().iter()) {
        match edge.op {
            Op::Store { addr, .. } => consider(addr),
            Op::Copy { dst, src, .. } => [dst, src].into_iter().for_each(&mut consider),
            Op::Fill { dst, .. } => consider(dst),
            _ => {}
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use crate::problem::Problem;
    use crate::property::edge_of;
    use crate::replay::{Choices, Replayer};
    use robusto_cfa::ir::{DataModel, EdgeId, FuncId, HavocSource, Idx as _, ObjId, Op};
    use robusto_interp::{EdgeRef, Layout};
    use robusto_limits::Limits;
    use robusto_syntax::SourceMap;
    use robusto_verdict::Property;

    /// What an execution does in which the input has this value.
    fn replayed(text: &str, model: DataModel, input: impl Fn(&Problem) -> u64) -> Result<(), bool> {
        let mut sources = SourceMap::new();
        let head = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
            extern char *__VERIFIER_nondet_pointer(void); char a[4];";
        let file = sources.add("test.c", format!("{head}{text}")).expect("small");
        let (program, _) =
            robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(model)).expect("it compiles");
        let problem = Problem::new(program, &Property::UnreachCall);
        let program = &problem.facts.program;
        let main = program.functions.enumerate().find(|(_, f)| &*f.name == "main").expect("it is there").0;
        let is_input = |op: &Op| matches!(op, Op::Havoc { source: HavocSource::Input, .. });
        let edge = program.functions[main].edges().iter().position(|e| is_input(&e.op)).expect("an input");
        let at = EdgeRef { function: main, edge: EdgeId::new(edge) };
        let (function, edge): (FuncId, EdgeId) = edge_of(&problem.targets[0]);
        let choices = Choices::from([(at, Some(u128::from(input(&problem))))]);
        let replayer = Replayer::of(&problem);
        let found = replayer.replay(choices, EdgeRef { function, edge }, false, &Limits::none());
        found.map(|_| ()).map_err(|instead| instead.is_undefined)
    }

    #[test]
    fn the_number_of_a_pointer_does_not_say_where_it_comes_from() {
        let start = |problem: &Problem| Layout::new(&problem.facts.program).outside().start;
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let own = "int main(void) { long i = __VERIFIER_nondet_int(); a[i] = 1; __VERIFIER_error(); }";
            let outside = |problem: &Problem| {
                let a = Layout::new(&problem.facts.program).object(ObjId::new(0)).expect("it is static");
                start(problem).wrapping_sub(a) & u64::from(u32::MAX)
            };
            if model == DataModel::Ilp32 {
                assert_eq!(replayed(own, model, outside), Err(true), "an index that leads out of the array");
            }
            assert_eq!(replayed(own, model, |_| 3), Ok(()));
            let other = "int main(void) { char *p = __VERIFIER_nondet_pointer(); p[3] = 1; __VERIFIER_error(); }";
            assert_eq!(replayed(other, model, start), Ok(()), "a pointer from outside");
            assert_eq!(replayed(other, model, |_| 0), Err(true));
        }
    }
}
