//! Table 1 and Figure 3 of the paper, and where its text needs reading with care.

use super::*;
use crate::model::by_hand::{ByHand, figure_3b};
use crate::space::Space;
use robusto_diagram::StoreSize;

/// Looks at the clusters of a model.
fn look(mut model: Model, options: &Options, forget_dead: bool, look: impl FnOnce(&Clusters<'_>)) {
    let limits = Limits::none();
    let circuit = Circuit::of(&mut model, &limits).expect("it is small");
    let space = Space::new(&model, &circuit, None, StoreSize::default());
    let exits = Exits::new(&model, &circuit, &space).expect("it is small");
    look(&Clusters::new(exits, forget_dead, options, &limits).expect("it is small"));
}

fn with(locality: Locality, threshold: usize) -> Options {
    Options { locality, threshold, ..Options::default() }
}

/// The cluster of some locations.
fn cluster(clusters: &Clusters<'_>, locations: &[usize], locality: Locality) -> Cluster {
    let used: Vec<WordSet> =
        (0..clusters.of.len()).map(|at| relevant(clusters.exits.circuit, &clusters.exits.circuit.exits[at])).collect();
    clusters.build(locations.to_vec(), &used, &with(locality, 0), &Limits::none()).expect("it is small")
}

/// A function that is a conjunction of values of words now and next, and of the counter now and next.
fn row(space: &Space, from: usize, to: usize, now: &[(usize, usize)], next: &[(usize, usize)]) -> Bdd {
    let counters = [Space::code(&space.counter, from), Space::code(&space.next_counter, to)].concat();
    let now = now.iter().flat_map(|&(word, value)| Space::code(&space.now[word], value));
    let next = next.iter().flat_map(|&(word, value)| Space::code(&space.next[word], value));
    space.diagrams.literals(&counters.into_iter().chain(now).chain(next).collect::<Vec<_>>()).expect("small")
}

/// Names of the words whose next value the relation has.
fn next_words<'m>(clusters: &Clusters<'m>, relation: &Bdd) -> Vec<&'m str> {
    let support = clusters.exits.space.diagrams.support(relation);
    let words = clusters.exits.model.words.iter().zip(&clusters.exits.space.next);
    words.filter(|(_, bits)| bits.iter().any(|bit| support.contains(bit))).map(|(word, _)| word.name.as_str()).collect()
}

fn names(model: &Model, words: &WordSet) -> Vec<String> {
    words.iter().map(|word| model.words[word].name.clone()).collect()
}

/// Table 1: four rows, with two locations behind them that have no row.
fn table_1() -> Model {
    let mut m = ByHand::new(5, &[("x", 3)]);
    let is_five = m.is("x", 5);
    let is_not = m.terms.not(is_five);
    m.exit(0, is_five, 1, &[]);
    m.exit(0, is_not, 4, &[]);
    m.step(1, 2, &[]);
    m.step(2, 3, &[]);
    m.finish()
}

/// The relation has the rows of the table and no other one. Codes without a row, which are 3 to 7, have no successor; above all
/// not location 0, as the sums of Section 3 have it.
#[test]
fn table_1_has_these_rows_and_unused_codes_lead_nowhere() {
    for locality in [Locality::Assigned, Locality::Relevant, Locality::Off] {
        let options = with(locality, usize::MAX);
        look(table_1(), &options, false, |clusters| {
            let (space, diagrams) = (clusters.exits.space, &clusters.exits.space.diagrams);
            let [cluster] = &clusters.clusters[..] else { panic!("one cluster") };
            let five = row(space, 0, 1, &[(0, 5)], &[]);
            let any = diagrams.literals(&Space::code(&space.now[0], 5)).expect("small");
            let not_five = diagrams.diff(&row(space, 0, 4, &[], &[]), &any).expect("small");
            let rows = [five, not_five, row(space, 1, 2, &[], &[]), row(space, 2, 3, &[], &[])];
            let mut expected = rows.iter().fold(diagrams.bottom(), |all, row| diagrams.or(&all, row).expect("small"));
            if locality != Locality::Assigned {
                // Locations 1 and 2 keep x for location 0, which uses it.
                for (&now, &next) in space.now[0].iter().zip(&space.next[0]) {
                    let same = diagrams.iff(&diagrams.var(now).expect("small"), &diagrams.var(next).expect("small"));
                    expected = diagrams.and(&expected, &same.expect("small")).expect("small");
                }
            }
            assert!(cluster.relation == expected, "{locality:?}");
            for unused in 3..8 {
                let code = diagrams.literals(&Space::code(&space.counter, unused)).expect("small");
                assert!(diagrams.disjoint(&cluster.relation, &code), "{unused}");
            }
        });
    }
}

/// Figure 3(a), one statement a block: locations 0 and 1, then 3 and 4; z is looked at behind each of the two blocks.
fn figure_3a() -> Model {
    let mut m = ByHand::new(7, &[("x", 2), ("z", 2), ("a", 2), ("b", 2), ("c", 2), ("d", 2)]);
    let [x, a, b, c, d] = ["x", "a", "b", "c", "d"].map(|name| m.word(name));
    let (first, second) = (m.terms.add(x, b), m.terms.add(x, d));
    let is_three = m.is("z", 3);
    let is_not = m.terms.not(is_three);
    m.step(0, 1, &[("x", a)]);
    m.step(1, 2, &[("z", first)]);
    m.exit(2, is_three, 6, &[]);
    m.exit(2, is_not, 3, &[]);
    m.step(3, 4, &[("x", c)]);
    m.step(4, 5, &[("z", second)]);
    m.exit(5, is_three, 6, &[]);
    m.exit(5, is_not, 0, &[]);
    m.finish()
}

/// Definition 1: relevant is what a block uses or assigns; relations have no `y ↔ x` for other words.
#[test]
fn figure_3a_relevant_variables() {
    let next = |blocks: &[usize], locality, forget_dead, expected: &[&str]| {
        look(figure_3a(), &with(locality, 0), forget_dead, |clusters| {
            let cluster = cluster(clusters, blocks, locality);
            assert_eq!(next_words(clusters, &cluster.relation), expected, "{blocks:?} {locality:?} {forget_dead}");
        });
    };
    look(figure_3a(), &with(Locality::Relevant, 0), false, |clusters| {
        let Exits { model, circuit, .. } = clusters.exits;
        let relevant = |location: usize| names(model, &relevant(circuit, &circuit.exits[location]));
        assert_eq!(relevant(0), ["x", "a"]);
        assert_eq!(relevant(1), ["x", "z", "b"]);
        assert_eq!(relevant(3), ["x", "c"]);
        assert_eq!(relevant(4), ["x", "z", "d"]);
    });
    next(&[0, 1], Locality::Relevant, false, &["x", "z", "a", "b"]);
    next(&[3, 4], Locality::Relevant, false, &["x", "z", "c", "d"]);
    next(&[1], Locality::Relevant, false, &["x", "z", "b"]);
    for blocks in [[0, 1], [3, 4]] {
        next(&blocks, Locality::Assigned, false, &["x", "z"]);
        next(&blocks, Locality::Off, false, &["x", "z", "a", "b", "c", "d"]);
    }
    // x is dead behind each block, z inside of it.
    next(&[1], Locality::Relevant, true, &["z", "b"]);
    next(&[0, 2], Locality::Assigned, true, &["x"]);
}

/// Definition 2 without the assignment that ends a scope would have x live in the whole of a loop; and it is not live at the
/// statement that assigns it, as Section 5.2 has it of L2.
#[test]
fn an_assignment_ends_what_mattered() {
    let model = figure_3a();
    let live: Vec<bool> = model.live.iter().map(|live| live.contains(0)).collect();
    assert_eq!(live, [false, true, false, false, true, false, false]);
    let model = figure_3b();
    let live: Vec<Vec<String>> = model.live.iter().map(|live| names(&model, live)).collect();
    assert_eq!(live, [vec!["s"], vec!["s"], vec!["x", "s"], vec!["s"], vec!["y", "s"], vec!["s"], vec![]]);
}

/// Two blocks that assign different words, both in a loop; another word that neither touches.
fn two_blocks() -> Model {
    let mut m = ByHand::new(4, &[("x", 2), ("y", 2), ("k", 2)]);
    let (x2, y1) = (m.constant("x", 2), m.constant("y", 1));
    m.step(0, 1, &[("x", x2)]);
    m.step(1, 2, &[("y", y1)]);
    let (x, y, k) = (m.word("x"), m.word("y"), m.word("k"));
    let both = m.terms.add(x, y);
    let is_same = m.terms.eq(both, k);
    let is_other = m.terms.not(is_same);
    m.exit(2, is_same, 3, &[]);
    m.exit(2, is_other, 0, &[]);
    m.finish()
}

/// The images of a state by every kind of relation, in one cluster with the other block.
fn images(from: usize, state: &[(usize, usize)], check: impl Fn(&Clusters<'_>, Vec<(usize, Bdd)>)) {
    for locality in [Locality::Assigned, Locality::Relevant, Locality::Off] {
        let options = with(locality, usize::MAX);
        look(two_blocks(), &options, false, |clusters| {
            let (space, diagrams) = (clusters.exits.space, &clusters.exits.space.diagrams);
            let words = state.iter().flat_map(|&(word, value)| Space::code(&space.now[word], value));
            let set = Space::code(&space.counter, from).into_iter().chain(words).collect::<Vec<_>>();
            let image =
                clusters.image(0, &diagrams.literals(&set).expect("small"), &mut Steps::default()).expect("small");
            check(clusters, image);
        });
    }
}

fn is_state(clusters: &Clusters<'_>, set: &Bdd, state: &[(usize, usize)]) -> bool {
    let words = state.iter().flat_map(|&(word, value)| Space::code(&clusters.exits.space.now[word], value));
    *set == clusters.exits.space.diagrams.literals(&words.collect::<Vec<_>>()).expect("small")
}

/// Section 5.1 drops `P ≡ j`: without it, a state would take the exits of all blocks of its cluster.
#[test]
fn a_disjunct_keeps_its_location() {
    images(0, &[(0, 0), (1, 0), (2, 3)], |_, image| {
        assert_eq!(image.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [1]);
    });
    images(1, &[(0, 0), (1, 0), (2, 3)], |_, image| {
        assert_eq!(image.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [2]);
    });
}

/// Without `y ↔ x` for what other blocks of the cluster assign, a block would forget it.
#[test]
fn a_block_keeps_what_others_of_its_cluster_assign() {
    images(0, &[(0, 0), (1, 3), (2, 3)], |clusters, image| {
        assert!(is_state(clusters, &image[0].1, &[(0, 2), (1, 3), (2, 3)]));
    });
    images(1, &[(0, 3), (1, 0), (2, 3)], |clusters, image| {
        assert!(is_state(clusters, &image[0].1, &[(0, 3), (1, 1), (2, 3)]));
    });
}

/// `D(X/Y)` would rename words that the relation does not have: here they are neither renamed nor quantified.
#[test]
fn words_outside_of_the_relation_are_left_alone() {
    look(two_blocks(), &with(Locality::Assigned, 0), false, |clusters| {
        let alone = cluster(clusters, &[0], Locality::Assigned);
        let space = clusters.exits.space;
        let old = space.diagrams.support(&alone.old);
        assert!(space.now[0].iter().all(|bit| old.contains(bit)));
        assert!(space.now[1].iter().chain(&space.now[2]).all(|bit| !old.contains(bit)));
        let relation = space.diagrams.support(&alone.relation);
        assert!(space.next[1].iter().chain(&space.next[2]).all(|bit| !relation.contains(bit)));
        let state = [(0, 0), (1, 2), (2, 3)];
        let words = state.iter().flat_map(|&(word, value)| Space::code(&space.now[word], value));
        let set = Space::code(&space.counter, 0).into_iter().chain(words).collect::<Vec<_>>();
        let image =
            clusters.image(0, &space.diagrams.literals(&set).expect("small"), &mut Steps::default()).expect("small");
        assert!(is_state(clusters, &image[0].1, &[(0, 2), (1, 2), (2, 3)]));
    });
}

/// Dead words are quantified for the location that a state arrives at, not for its cluster.
#[test]
fn dead_words_are_forgotten_by_destination() {
    look(figure_3b(), &with(Locality::Assigned, usize::MAX), true, |clusters| {
        let space = clusters.exits.space;
        let dead = |location: usize| {
            let [cluster] = &clusters.clusters[..] else { panic!("one cluster") };
            let (_, dead) = cluster.targets.iter().find(|(target, _)| *target == location).expect("a target");
            let support = space.diagrams.support(dead);
            let words = (0..3).filter(|&word| space.now[word].iter().all(|bit| support.contains(bit)));
            words.map(|word| clusters.exits.model.words[word].name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!([dead(1), dead(2), dead(3)], [vec!["x", "y"], vec!["y"], vec!["x", "y"]]);
        assert_eq!([dead(4), dead(5)], [vec!["x"], vec!["x", "y"]]);
    });
}
