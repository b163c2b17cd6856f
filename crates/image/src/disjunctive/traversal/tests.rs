//! The frames of Table 2, and orders of firing.

use super::*;
use crate::circuit::Circuit;
use crate::model::Model;
use crate::model::by_hand::{ByHand, figure_3b};
use crate::space::Space;
use robusto_diagram::StoreSize;
use robusto_limits::Progress;

const EVERY: [Traversal; 4] = [Traversal::Fbf, Traversal::Chain, Traversal::Mbm, Traversal::Wto];

/// Explores a model and looks at what is reached, in how many rounds.
fn explored(mut model: Model, options: &Options, forget_dead: bool, look: impl Fn(&Sets<'_>, &Space, usize)) {
    let (limits, progress, mut steps) = (Limits::none(), Progress::default(), Steps::default());
    let circuit = Circuit::of(&mut model, &limits).expect("it is small");
    let space = Space::new(&model, &circuit, None, StoreSize::default());
    let exits = Exits::new(&model, &circuit, &space).expect("it is small");
    let is_enough = &mut |_| false;
    let mut run = Run { forget_dead, limits: &limits, progress: &progress, steps: &mut steps, is_enough };
    let reached = explore(exits, options, &mut run).expect("it is small");
    look(&reached, &space, steps.rounds);
}

/// The states of a line of Table 2: the paper's location, and values of words.
fn line(space: &Space, (location, values): (usize, &[(usize, usize)])) -> Bdd {
    let code = Space::code(&space.counter, location - 1);
    let words = values.iter().flat_map(|&(word, value)| Space::code(&space.now[word], value));
    space.diagrams.literals(&code.into_iter().chain(words).collect::<Vec<_>>()).expect("small")
}

/// Figure 3(b): with all variables, the search has eight frames with new states, with live variables five.
#[test]
fn table_2_frame_by_frame() {
    const X: usize = 0;
    const Y: usize = 1;
    const S: usize = 2;
    type Line = (usize, &'static [(usize, usize)]);
    let all: [Line; 8] = [
        (2, &[(X, 0), (Y, 0)]),
        (3, &[(X, 7), (Y, 0)]),
        (4, &[(X, 7), (Y, 0), (S, 7)]),
        (5, &[(X, 7), (Y, 8), (S, 7)]),
        (6, &[(X, 7), (Y, 8), (S, 8)]),
        (2, &[(X, 7), (Y, 8), (S, 8)]),
        (3, &[(X, 7), (Y, 8), (S, 8)]),
        (4, &[(X, 7), (Y, 8), (S, 7)]),
    ];
    let live: [Line; 5] = [(2, &[]), (3, &[(X, 7)]), (4, &[(S, 7)]), (5, &[(S, 7), (Y, 8)]), (6, &[(S, 8)])];
    for threshold in [0, usize::MAX] {
        for (forget_dead, expected) in [(false, &all[..]), (true, &live[..])] {
            let options = Options { traversal: Traversal::Fbf, threshold, ..Options::default() };
            explored(figure_3b(), &options, forget_dead, |reached, space, rounds| {
                let frames: Vec<&[(Option<usize>, Bdd)]> = reached.log.added().collect();
                let (last, frames) = frames.split_last().expect("there is one");
                assert!(last.is_empty(), "the last frame has nothing new");
                assert_eq!(frames.len(), expected.len());
                assert_eq!(rounds, expected.len() + 1);
                for (frame, &expected) in frames.iter().zip(expected) {
                    let [(location, new)] = frame else { panic!("{} locations at once", frame.len()) };
                    assert_eq!(*location, Some(expected.0 - 1));
                    assert!(*new == line(space, expected), "frame {expected:?}");
                }
                assert!(!reached.contains(6), "L7 is the error");
            });
        }
    }
}

/// Figure 2 has no outer loop; one pass over the clusters does not find what comes round a loop.
#[test]
fn figure_2_is_repeated_until_nothing_is_new() {
    for traversal in EVERY {
        for threshold in [0, usize::MAX] {
            let mut m = ByHand::new(4, &[("x", 3)]);
            let x = m.word("x");
            let one = m.constant("x", 1);
            let next = m.terms.add(x, one);
            let (is_seven, is_zero) = (m.is("x", 7), m.is("x", 0));
            let (not_seven, not_zero) = (m.terms.not(is_seven), m.terms.not(is_zero));
            m.start("x", 0);
            m.exit(0, not_seven, 1, &[]);
            m.exit(0, is_seven, 2, &[]);
            m.step(1, 0, &[("x", next)]);
            m.exit(2, not_zero, 3, &[]);
            m.exit(2, is_zero, 0, &[]);
            let options = Options { traversal, threshold, ..Options::default() };
            explored(m.finish(), &options, true, |reached, space, _| {
                assert!(reached.contains(3), "{traversal:?}");
                let at = |location: usize| space.diagrams.count(&reached.at(location).expect("small"), &space.now[0]);
                assert_eq!([at(0), at(1), at(2)], [8.0, 7.0, 1.0], "{traversal:?}");
                let trace = reached.trace(3, &Limits::none()).expect("it is reached");
                let locations: Vec<usize> = trace.iter().map(|&(location, _)| location).collect();
                assert_eq!(locations, [[0, 1].repeat(7), vec![0, 2]].concat(), "{traversal:?}");
            });
        }
    }
}

/// Only frames count steps: what one cluster finds waits for the next frame.
#[test]
fn the_frames_are_the_sequential_depth() {
    let depth = 9;
    for threshold in [0, 3, usize::MAX] {
        let mut m = ByHand::new(depth + 1, &[("x", 1)]);
        let x = m.word("x");
        let flipped = m.terms.not(x);
        (0..depth).for_each(|at| m.observe("x", at, at + 1, &[("x", flipped)]));
        let options = Options { traversal: Traversal::Fbf, threshold, ..Options::default() };
        explored(m.finish(), &options, true, |reached, _, rounds| {
            assert!(reached.contains(depth));
            assert_eq!(rounds, depth);
        });
    }
}
