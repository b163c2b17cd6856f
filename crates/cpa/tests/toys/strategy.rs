//! Strategies change the cost, not the result.

use crate::domain::{DIAMOND, Direct, Hull, LOOP, Merging, explore, image, program, states, variable};
use robusto_cfa::ir::{Idx, LocId, Program, VarId};
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Composite, Merge, Order, Partition, Prec, Status, Step, Strategy};
use robusto_limits::Stopped;
use std::collections::BTreeSet;

/// Sets of values of `x`: all, and those that were not expanded.
struct Sets<'p> {
    program: &'p Program,
    var: VarId,
    values: usize,
}

type Set = (BTreeSet<u8>, BTreeSet<u8>);

impl Analysis for Sets<'_> {
    type State = Set;

    fn initial(&mut self) -> Result<Set, Stopped> {
        Ok((BTreeSet::from([0]), BTreeSet::from([0])))
    }

    fn transfer(&mut self, state: &Set, step: Step) -> Result<Option<Set>, Stopped> {
        self.values += state.1.len();
        let image = image(self.program, step, self.var, state.1.iter().copied());
        Ok((!image.is_empty()).then(|| (image.clone(), image)))
    }

    fn merge(&mut self, new: &Set, old: &Set, _: Location) -> Result<Merge<Set>, Stopped> {
        if new.0.is_subset(&old.0) {
            return Ok(Merge::Keep);
        }
        let fresh: BTreeSet<u8> = new.0.difference(&old.0).copied().collect();
        Ok(Merge::Replace((&old.0 | &new.0, &old.1 | &fresh)))
    }

    fn stop(&self, new: &Set, old: &Set) -> Result<bool, Stopped> {
        Ok(new.0.is_subset(&old.0))
    }
}

struct Frontier;

impl Strategy<Sets<'_>> for Frontier {
    fn frontier(&self, _: &mut Sets<'_>, state: &mut Set) -> Option<Set> {
        let part = std::mem::take(&mut state.1);
        Some((part.clone(), part))
    }
}

#[test]
fn only_what_is_new_is_propagated() {
    let program = program(LOOP, "");
    let sets = || Sets { program: &program, var: variable(&program, "x"), values: 0 };
    let mut plain = Composite::new(&program, sets(), &Direct, 10);
    let mut frontier = Composite::new(&program, sets(), &Direct, 10).with_strategy(Frontier);
    let all = |states: Vec<Set>| states.into_iter().map(|(all, _)| all).collect::<Vec<_>>();
    let (a, b) = (explore(&mut plain, Order::default()).arg, explore(&mut frontier, Order::default()).arg);
    for loc in 0..5 {
        assert_eq!(all(states(&a, 0, loc)), all(states(&b, 0, loc)), "L{loc}");
    }
    assert_eq!(all(states(&b, 0, 1)), [(0..=200).collect::<BTreeSet<u8>>()]);
    assert!(frontier.data.values * 50 < plain.data.values, "{} {}", frontier.data.values, plain.data.values);
}

/// Successors of a node that has grown take the place of those of before.
struct Replacing;

impl Strategy<Hull<'_>> for Replacing {
    fn replaces(&self) -> bool {
        true
    }
}

#[test]
fn later_successors_replace_earlier_ones() {
    let program = program(LOOP, "");
    let mut cpa =
        Composite::new(&program, Hull::new(&program, "x", Merging::Join), &Direct, 10).with_strategy(Replacing);
    let arg = explore(&mut cpa, Order::default()).arg;
    // The head is made of the start and of the last round, which has all rounds before.
    let head = arg.ids().find(|&id| arg.node(id).state.location.loc == LocId::new(1)).expect("it is reached");
    assert_eq!(arg.node(head).state.data, (0, 200));
    let parts: Vec<(u8, u8)> = arg.latest(head, None).iter().map(|c| c.data).collect();
    assert_eq!(parts, [(0, 0), (1, 200)]);
    assert_eq!(states(&arg, 0, 3), [(200, 200)]);
}

/// Odd and even least values are kept apart, and the odd ones come first.
struct ByParity;

impl Strategy<Hull<'_>> for ByParity {
    fn partition(&self, _: &Hull<'_>, state: &(u8, u8)) -> Partition {
        (u32::from(state.0 % 2), 0)
    }

    fn turn(&self, _: &Hull<'_>, state: &(u8, u8)) -> u32 {
        u32::from(state.0.is_multiple_of(2))
    }
}

#[test]
fn partitions_are_merged_by_themselves() {
    let program = program(&DIAMOND.replace("x := 3", "x := 4"), "");
    let mut cpa =
        Composite::new(&program, Hull::new(&program, "x", Merging::Join), &Direct, 10).with_strategy(ByParity);
    let exploration = explore(&mut cpa, Order::ReversePostOrder);
    assert_eq!(states(&exploration.arg, 0, 3), [(1, 1), (4, 4)]);
    assert!(states(&exploration.arg, 0, 4).is_empty());
    // The odd state is expanded up to the end before the even one is.
    let expanded = |loc: usize, data| {
        let found = exploration.arg.ids().find(|&id| {
            let state = &exploration.arg.node(id).state;
            state.location.loc == LocId::new(loc) && state.data == data
        });
        found.expect("it is reached")
    };
    assert!(expanded(5, (1, 1)) < expanded(5, (4, 4)));
}

/// Forced covering: a state takes another one's value if it may.
struct Forced;

impl Strategy<Hull<'_>> for Forced {
    fn cover(&self, hull: &mut Hull<'_>, state: &(u8, u8), by: &(u8, u8)) -> Result<bool, Stopped> {
        Ok(hull.stop(state, by)? || state.0.abs_diff(by.0) == 2)
    }
}

#[test]
fn covering_can_be_forced_when_a_state_is_taken() {
    let program = program(DIAMOND, "");
    let hull = || Hull::new(&program, "x", Merging::Sep);
    // Nothing is tried where `prec` has nothing to say.
    let mut cpa = Composite::new(&program, hull(), &Direct, 10).with_strategy(Forced);
    assert_eq!(states(&explore(&mut cpa, Order::ReversePostOrder).arg, 0, 3).len(), 2);
    struct Asked<'p>(Hull<'p>);
    impl Analysis for Asked<'_> {
        type State = (u8, u8);
        fn initial(&mut self) -> Result<(u8, u8), Stopped> {
            self.0.initial()
        }
        fn transfer(&mut self, state: &(u8, u8), step: Step) -> Result<Option<(u8, u8)>, Stopped> {
            self.0.transfer(state, step)
        }
        fn merge(&mut self, new: &(u8, u8), old: &(u8, u8), at: Location) -> Result<Merge<(u8, u8)>, Stopped> {
            self.0.merge(new, old, at)
        }
        fn stop(&self, new: &(u8, u8), old: &(u8, u8)) -> Result<bool, Stopped> {
            self.0.stop(new, old)
        }
        fn prec(&mut self, _: &mut (u8, u8), _: Location) -> Result<Prec, Stopped> {
            Ok(Prec::Adjusted)
        }
    }
    impl Strategy<Asked<'_>> for Forced {
        fn cover(&self, asked: &mut Asked<'_>, state: &(u8, u8), by: &(u8, u8)) -> Result<bool, Stopped> {
            Strategy::<Hull<'_>>::cover(self, &mut asked.0, state, by)
        }
    }
    let mut cpa = Composite::new(&program, Asked(hull()), &Direct, 10).with_strategy(Forced);
    let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
    assert_eq!(states(&arg, 0, 3).len(), 1);
    assert_eq!(arg.ids().filter(|&id| matches!(arg.node(id).status, Status::Covered(_))).count(), 1);
}
