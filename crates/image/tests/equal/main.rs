//! Every method reaches the same states, and those that enumeration finds: at each location, as far as words are live there.

mod enumerate;
mod programs;

use enumerate::{State, enumerate, is_feasible};
use programs::program;
use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_diagram::{Bdd, Reordering, StoreSize, VarIndex};
use robusto_image::circuit::Circuit;
use robusto_image::conjunctive::{self, Arrangement};
use robusto_image::disjunctive::{self, Criterion, Direction, Locality, Stores, Traversal};
use robusto_image::model::{self, Model, Place};
use robusto_image::pdr::{self, Outcome, Pdr};
use robusto_image::search::{Method, Options, Reached, explore};
use robusto_image::space::Space;
use robusto_image::steps::Steps;
use robusto_limits::{Limits, Progress};
use std::collections::HashSet;

/// Random programs; another number can be chosen with `ROBUSTO_CASES` when the test is built.
const CASES: u64 = 1000;

/// The states of a location that differ on live words.
type States = HashSet<Vec<bool>>;

/// A program with all its states, by enumeration.
struct Case {
    text: String,
    facts: Facts,
    intervals: Invariants,
    model: Model,
    circuit: Circuit,
    /// By location, bits of the live words, in the order of words.
    states: Vec<States>,
}

/// The options of the model that a seed stands for.
fn bounds(seed: u64) -> model::Options {
    model::Options { narrow: !seed.is_multiple_of(4), keep_dead: seed.is_multiple_of(7), ..model::Options::default() }
}

impl Case {
    /// `None` if the program has too many states to count them.
    fn new(seed: u64) -> Option<Self> {
        let text = program(seed);
        let mut sources = robusto_syntax::SourceMap::new();
        let file = sources.add("test.c", text.clone()).expect("small");
        let (program, _) = robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(DataModel::Lp64))
            .unwrap_or_else(|errors| panic!("{}\n{text}", errors[0].render(&sources)));
        let facts = Facts::of(program);
        let limits = Limits::none();
        let intervals = Invariants::of(&facts, &limits).expect("without limits");
        let mut model = Model::of(&facts, Some(&intervals), &bounds(seed), &limits).expect("it is small");
        let circuit = Circuit::of(&mut model, &limits).expect("it is small");
        let all = enumerate(&circuit)?;
        let states = all.iter().enumerate().map(|(at, all)| project(&model, &circuit, at, all)).collect();
        Some(Self { text, facts, intervals, model, circuit, states })
    }

    /// Whether a set at a location has all states that enumeration has found, as far as words are live; and only these, if it
    /// is exact.
    fn fits(&self, space: &Space, location: usize, set: &Bdd, is_exact: bool) -> bool {
        let (diagrams, states) = (&space.diagrams, &self.states[location]);
        let bits = |is_live| {
            let words = (0..space.now.len()).filter(move |&word| self.model.live[location].contains(word) == is_live);
            words.flat_map(|word| space.now[word].iter().copied()).collect::<Vec<VarIndex>>()
        };
        let (live, dead) = (bits(true), bits(false));
        let set = diagrams.exists(set, &diagrams.cube(&dead).expect("small")).expect("small");
        let mut assignment = vec![false; diagrams.variables() as usize];
        let has = |state: &Vec<bool>| {
            live.iter().zip(state).for_each(|(var, &bit)| assignment[var.index()] = bit);
            diagrams.evaluate(&set, &assignment)
        };
        states.iter().all(has) && (!is_exact || diagrams.count(&set, &live) == states.len() as f64)
    }

    /// Executes the traces to all bad locations that are reached.
    fn check_traces(&self, reached: &dyn Reached) {
        for location in (0..self.states.len()).filter(|&location| is_bad(&self.model.places[location])) {
            if reached.contains(location) {
                let trace = reached.trace(location, &Limits::none()).expect("without limits");
                assert!(is_feasible(&self.circuit, &trace, location), "{trace:?}\n{}", self.text);
            }
        }
    }
}

/// Whether a location must not be reached.
fn is_bad(place: &Place) -> bool {
    matches!(place, Place::Target(..) | Place::Gap(_) | Place::Bound(..))
}

fn project(model: &Model, circuit: &Circuit, location: usize, all: &HashSet<State>) -> States {
    let mut offset = 0;
    let mut bits = Vec::new();
    for (word, of_word) in circuit.words.iter().enumerate() {
        if model.live[location].contains(word) {
            bits.extend(offset..offset + of_word.len());
        }
        offset += of_word.len();
    }
    all.iter().map(|state| bits.iter().map(|bit| state >> bit & 1 == 1).collect()).collect()
}

/// Ways to compute images disjunctively: all orders of firing, and in turn all sizes of clusters, criteria, kinds of relations.
fn disjunctive(seed: u64, direction: Direction) -> Vec<Options> {
    let traversals = [Traversal::Fbf, Traversal::Chain, Traversal::Mbm, Traversal::Wto];
    let of = |(traversal, seed): (Traversal, u64)| {
        let pick = |choices: u64, by: u64| (seed / by % choices) as usize;
        let method = disjunctive::Options {
            direction,
            traversal,
            threshold: [0, 12, 24, usize::MAX][pick(4, 1)],
            criterion: [Criterion::LiveVar, Criterion::AsgnVar, Criterion::CfgEdge][pick(3, 1)],
            locality: [Locality::Assigned, Locality::Relevant, Locality::Off][pick(3, 4)],
            stores: if pick(6, 1) == 3 { Stores::Each } else { Stores::One },
            ..disjunctive::Options::default()
        };
        Options { method: Method::Disjunctive(method), ..shared(seed) }
    };
    traversals.into_iter().zip(0..).map(|(traversal, i)| of((traversal, seed + 7 * i))).collect()
}

/// The programs that are used: those with few states.
fn cases(every: u64) -> impl Iterator<Item = (u64, Case)> {
    let count = option_env!("ROBUSTO_CASES").and_then(|text| text.parse().ok()).unwrap_or(CASES) / every;
    (0..).filter_map(|seed| Some((seed, Case::new(seed)?))).take(count as usize)
}

/// All ways to compute images conjunctively, in turn with all that they can be combined with.
fn conjunctive(seed: u64) -> Vec<Options> {
    use Arrangement::{Iwls95, Mlp, Monolithic, PerVariable};
    let all = [(Monolithic, false), (Iwls95, false), (Mlp, false), (Mlp, true), (PerVariable, false)];
    let of = |((arrangement, reset_dead), seed): ((Arrangement, bool), u64)| {
        let cluster_limit = [1, 50, 5000][(seed % 3) as usize];
        Options {
            method: Method::Conjunctive(conjunctive::Options { arrangement, cluster_limit, reset_dead }),
            ..shared(seed)
        }
    };
    all.into_iter().zip(seed..).map(of).collect()
}

/// What all methods can be combined with.
fn shared(seed: u64) -> Options {
    Options {
        forget_dead: (seed / 12).is_multiple_of(2),
        reordering: seed.is_multiple_of(5).then(|| Reordering { first: 100, ..Reordering::default() }),
        store: StoreSize { nodes: 1 << 20, cache: 1 << 12 },
        ..Options::default()
    }
}

/// Explores a program.
fn reach<'m>(case: &'m Case, space: &'m Space, options: &Options) -> Box<dyn Reached + 'm> {
    let (limits, progress, mut steps) = (Limits::none(), Progress::default(), Steps::default());
    explore(&case.model, &case.circuit, space, options, &limits, &progress, &mut steps, &mut |_| false)
        .expect("it is small")
}

#[test]
fn all_methods_are_equal_to_enumeration() {
    let mut total = 0;
    for (seed, case) in cases(1) {
        total += case.states.iter().map(HashSet::len).sum::<usize>();
        for options in disjunctive(seed, Direction::Forward).into_iter().chain(conjunctive(seed)) {
            let space = Space::new(&case.model, &case.circuit, options.reordering, options.store);
            let reached = reach(&case, &space, &options);
            for (location, states) in case.states.iter().enumerate() {
                let is_equal = match case.model.exits[location].is_empty() {
                    true => reached.contains(location) != states.is_empty(),
                    false => case.fits(&space, location, &reached.at(location).expect("small"), true),
                };
                assert!(is_equal, "seed {seed}, location {location}, {options:?}\n{}", case.text);
            }
            case.check_traces(&*reached);
        }
    }
    assert!(total > 40_000, "{total} states");
}

/// Searches from bad locations, and from both ends, find the same of these; what they have as invariant holds for all states.
#[test]
fn backward_searches_find_what_enumeration_finds() {
    let mut found = [0; 2];
    for (seed, case) in cases(2) {
        for direction in [Direction::Backward, Direction::Both] {
            let all = disjunctive(seed, direction);
            let options = &all[(seed % 4) as usize];
            let space = Space::new(&case.model, &case.circuit, options.reordering, options.store);
            let reached = reach(&case, &space, options);
            for (location, states) in case.states.iter().enumerate() {
                let fits = if is_bad(&case.model.places[location]) {
                    found[usize::from(states.is_empty())] += 1;
                    reached.contains(location) != states.is_empty()
                } else {
                    case.fits(&space, location, &reached.at(location).expect("small"), false)
                };
                assert!(fits, "seed {seed}, location {location}, {options:?}\n{}", case.text);
            }
            case.check_traces(&*reached);
        }
    }
    assert!(found.iter().all(|&count| count > 100), "{found:?}");
}

/// Property-directed reachability finds the same bad locations, and proves of the others that they are not reached.
#[test]
fn pdr_finds_what_enumeration_finds() {
    let (mut reached, mut proved) = (0, 0);
    for (seed, case) in cases(10) {
        let limits = Limits::none();
        let model = Model::of(&case.facts, Some(&case.intervals), &bounds(seed), &limits).expect("it is small");
        let numbers = 0..model.places.len();
        let expected: HashSet<usize> =
            numbers.filter(|&at| is_bad(&model.places[at]) && !case.states[at].is_empty()).collect();
        let mut found = HashSet::new();
        let mut pdr =
            Pdr::new(model, &case.facts, Some(&case.intervals), &pdr::Options::default(), &limits).expect("small");
        while let Outcome::Reached { place, .. } = pdr.search().expect("without limits") {
            found.insert(place);
        }
        assert_eq!(found, expected, "seed {seed}\n{}", case.text);
        reached += expected.len();
        proved += usize::from(expected.is_empty());
    }
    assert!(reached > 10 && proved > 10, "{reached} {proved}");
}
