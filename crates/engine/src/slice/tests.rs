//! The check of slices refutes those that leave out too much.

use super::Slice;
use crate::certify;
use crate::problem::Problem;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{DataModel, Idx as _, Op};
use robusto_cfa::{Options, compile};
use robusto_syntax::SourceMap;
use robusto_verdict::Property;

const TEXT: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
    extern void *malloc(unsigned long); extern void exit(int);
    struct s { int state, noise; } *p; int noise, g;
    int step(struct s *q, int by) { q->state = q->state + by; q->noise = by; return q->state; }
    void quiet(int n) { while (n > 0) { noise += n; n--; } }
    int main() {
        p = malloc(sizeof *p); p->state = 0;
        int i = 0, limit = __VERIFIER_nondet_int(), seen = 0;
        if (limit > 10) exit(0);
        while (i < limit) { quiet(i); seen = step(p, 2); if (noise > 7) g = 1; i++; }
        if (seen == 21) __VERIFIER_error();
        return noise; }";

pub(super) fn problem() -> Problem {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", TEXT.to_owned()).expect("small");
    let (program, _) = compile(&mut sources, &[file], Options::new(DataModel::Lp64)).expect("it is right");
    Problem::new(program, &Property::UnreachCall)
}

fn is_accepted(facts: &Facts, slice: &Slice) -> bool {
    certify::slice::check(facts, slice, &Facts::of(slice.program.clone())).is_ok()
}

#[test]
fn the_slice_is_accepted_and_smaller() {
    let problem = problem();
    let (slice, facts) = Slice::of(&problem.facts).expect("it has one");
    assert!(is_accepted(&problem.facts, &slice));
    let left = slice.left(&problem.facts, &facts);
    assert!(left.edges.1 < left.edges.0 && left.accesses.1 == 0 && left.accesses.0 > 3, "{left}");
    let program = &problem.facts.program;
    let needed = |name: &str| program.vars.enumerate().any(|(id, var)| &*var.name == name && slice.vars[id]);
    assert!(needed("limit") && needed("seen") && needed("by"));
    assert!(!needed("noise") && !needed("g") && !needed("p"), "the state is a variable of its own");
    assert_eq!(slice.lifted.len(), 1);
}

/// Every assignment, condition and call of the slice matters to the check.
#[test]
fn a_slice_without_a_step_is_refuted() {
    let problem = problem();
    let (slice, _) = Slice::of(&problem.facts).expect("it has one");
    let mut mutants = 0;
    for id in slice.program.functions.ids().filter(|&id| slice.origin.has(id)) {
        for number in 0..slice.program.functions[id].edges().len() {
            let (mut mutant, _) = Slice::of(&problem.facts).expect("it has one");
            let mut at = 0;
            let mut is_changed = false;
            mutant.program.functions[id].map_ops(|op| {
                if at == number && matches!(op, Op::Assign { .. } | Op::Call { .. } | Op::Havoc { .. }) {
                    *op = Op::Skip;
                    is_changed = true;
                }
                at += 1;
            });
            mutants += usize::from(is_changed);
            assert!(!is_changed || !is_accepted(&problem.facts, &mutant), "edge {number} of {id:?}");
        }
    }
    assert!(mutants >= 8, "{mutants}");
}

/// A variable or region that is not said to be needed, or a location in another place.
#[test]
fn a_slice_that_says_less_is_refuted() {
    let problem = problem();
    let (slice, _) = Slice::of(&problem.facts).expect("it has one");
    for var in problem.facts.program.vars.ids().filter(|&var| slice.vars[var]) {
        let (mut mutant, _) = Slice::of(&problem.facts).expect("it has one");
        mutant.vars[var] = false;
        assert!(!is_accepted(&problem.facts, &mutant), "{}", problem.facts.program.vars[var].name);
    }
    let main = problem.facts.program.main.expect("it is there");
    for loc in problem.facts.program.functions[main].locs() {
        let (mut mutant, _) = Slice::of(&problem.facts).expect("it has one");
        let place = &mut mutant.origin.places[main][loc];
        if place.is_some_and(|place| place != slice.program.functions[main].exit) {
            *place = None;
            assert!(!is_accepted(&problem.facts, &mutant), "location {}", loc.index());
        }
    }
}
