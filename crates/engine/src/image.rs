//! The engine of image computation: all states of a finite model, cluster by cluster.

use crate::finite::execution::execute;
use crate::finite::{incomplete, invariant, targets};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::registry::{Call, Engine, Job, Kind, Opt, Values, readable};
use crate::replay::Replayer;
use robusto_analyses::interval::Invariants;
use robusto_cpa::Step;
use robusto_diagram::{Bdd, Reordering, VarIndex};
use robusto_image::circuit::Circuit;
use robusto_image::conjunctive::{self, Arrangement};
use robusto_image::disjunctive::{self, Criterion, Direction, Locality, Stores, Traversal};
use robusto_image::model::{self, Model};
use robusto_image::search::{self, Method, Reached};
use robusto_image::space::Space;
use robusto_image::steps::{Step as Round, Steps, Transfers};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Term, Terms};
use robusto_verdict::{Certificate, Finding, Reason, Report, Verdict};
use rustc_hash::FxHashMap;

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Bounds of the model.
    pub model: model::Options,
    /// How images are computed.
    pub images: search::Options,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "image",
    about: "An exact finite-state model, explored by images of sets of states",
    help: "\
The program as a finite-state machine: calls inlined, memory as words, recursion and heap
bounded. Its blocks are cut into clusters, each with a relation over the few variables that it
uses; sets of states are decision diagrams over the variables that still matter. Exact where
`bdd` over-approximates memory. (docs/image.md)",
    options: &[
        &IMAGE,
        &CLUSTER_LIMIT,
        &DIRECTION,
        &TRAVERSAL,
        &STORES,
        &LOCALITY,
        &PARTITION,
        &THRESHOLD,
        &KEEP_DEAD,
        &REORDER,
        &RECURSION,
        &HEAP,
        &FULL_WIDTH,
        &STEPS,
    ],
    call: Call::Alone(call),
};

static IMAGE: Opt = Opt {
    name: "image",
    help: "how images are computed",
    kind: Kind::Choice {
        value: "METHOD",
        list: &[
            ("disjunctive", "By clusters of blocks"),
            ("mono", "One relation for all"),
            ("iwls95", "Conjunctions of relations of bits, ordered by benefit"),
            ("mlp", "The same, ordered so that variables live for a short time"),
            ("mlp-reset", "The same, where the relation sets variables to zero that die"),
            ("pervar", "By sets of variables that change together"),
        ],
    },
};

static CLUSTER_LIMIT: Opt = Opt {
    name: "cluster-limit",
    help: "with iwls95 and mlp, join relations of bits up to so many nodes [default: 5000]",
    kind: Kind::Text { value: "NODES", default: None, check: readable::<usize> },
};

static DIRECTION: Opt = Opt {
    name: "direction",
    help: "where the search begins",
    kind: Kind::Choice {
        value: "WHERE",
        list: &[
            ("forward", "At the start"),
            ("backward", "At violations, and at what the model does not know"),
            ("both", "At both, one round at a time on the side with fewer nodes"),
        ],
    },
};

static TRAVERSAL: Opt = Opt {
    name: "traversal",
    help: "order in which clusters are fired",
    kind: Kind::Choice {
        value: "ORDER",
        list: &[
            ("wto", "The first in weak topological order that has something new"),
            ("chain", "One after the other, each with all that is known by then"),
            ("fbf", "Frame by frame; gives the sequential depth"),
            ("mbm", "Each until it finds nothing new by itself"),
        ],
    },
};

static STORES: Opt = Opt {
    name: "stores",
    help: "stores of decision diagrams, each with its own order of variables",
    kind: Kind::Choice {
        value: "WHICH",
        list: &[("one", "One for all clusters"), ("each", "One for each cluster, in searches from the start")],
    },
};

static LOCALITY: Opt = Opt {
    name: "locality",
    help: "variables that a relation has",
    kind: Kind::Choice {
        value: "WHICH",
        list: &[
            ("assigned", "Those that a block of the cluster assigns"),
            ("relevant", "Those that a block of the cluster uses or assigns"),
            ("off", "All"),
        ],
    },
};

static PARTITION: Opt = Opt {
    name: "partition",
    help: "what a cut between clusters costs",
    kind: Kind::Choice {
        value: "CRITERION",
        list: &[
            ("live-var", "Variables that are live on both sides"),
            ("asgn-var", "Variables that both sides assign"),
            ("cfg-edge", "Steps between the sides"),
        ],
    },
};

static THRESHOLD: Opt = Opt {
    name: "threshold",
    help: "cut clusters whose blocks use more bits than this; 0: one block each [default: 0 with wto, else 175]",
    kind: Kind::Text { value: "BITS", default: None, check: readable::<usize> },
};

/// The paper's.
const PAPERS_THRESHOLD: usize = 175;

static KEEP_DEAD: Opt = Opt { name: "keep-dead", help: "do not forget variables that are dead", kind: Kind::Flag };

static REORDER: Opt = Opt {
    name: "reorder",
    help: "improve the order of variables on the way",
    kind: Kind::Choice {
        value: "HOW",
        list: &[("off", "Keep the first order"), ("sift", "By sifting, as diagrams grow")],
    },
};

static RECURSION: Opt = Opt {
    name: "recursion",
    help: "activations of a recursive function that the model has room for [default: 3]",
    kind: Kind::Text { value: "N", default: None, check: readable::<u32> },
};

static HEAP: Opt = Opt {
    name: "heap",
    help: "bytes of heap that the model has room for [default: 256]",
    kind: Kind::Text { value: "BYTES", default: None, check: readable::<u64> },
};

static FULL_WIDTH: Opt =
    Opt { name: "full-width", help: "words as wide as their types, whatever values they can have", kind: Kind::Flag };

/// Where the costs of rounds go.
pub static STEPS: Opt =
    Opt { name: "steps", help: "write what each round has cost to a file, as CSV", kind: Kind::File };

fn call(job: &Job<'_>) -> Report {
    let values = job.values;
    let conjunctive = |arrangement: Arrangement, reset_dead: bool| {
        let defaults = conjunctive::Options::default();
        let cluster_limit = values.parsed(&CLUSTER_LIMIT).unwrap_or(defaults.cluster_limit);
        Method::Conjunctive(conjunctive::Options { arrangement, cluster_limit, reset_dead })
    };
    let method = match values.text(&IMAGE) {
        Some("mono") => conjunctive(Arrangement::Monolithic, false),
        Some("iwls95") => conjunctive(Arrangement::Iwls95, false),
        Some("mlp") => conjunctive(Arrangement::Mlp, false),
        Some("mlp-reset") => conjunctive(Arrangement::Mlp, true),
        Some("pervar") => conjunctive(Arrangement::PerVariable, false),
        _ => Method::Disjunctive(disjunctive(values)),
    };
    let images = search::Options {
        method,
        forget_dead: !values.has(&KEEP_DEAD),
        reordering: (values.text(&REORDER) == Some("sift")).then(Reordering::default),
        ..search::Options::default()
    };
    let defaults = model::Options::default();
    let bounds = model::Options {
        recursion: values.parsed(&RECURSION).unwrap_or(defaults.recursion),
        heap: values.parsed(&HEAP).unwrap_or(defaults.heap),
        narrow: !values.has(&FULL_WIDTH),
        keep_dead: !images.forget_dead,
    };
    let options = Options { model: bounds, images, traces: job.traces };
    let Some(take) = &job.outputs.rounds else {
        return check(job.problem, &options, job.limits, job.progress, None);
    };
    let mut number = 0;
    take("round,seconds,live,peak,reached,product\n");
    let mut observer = |&Round { time, live, peak, reached, largest }: &Round| {
        number += 1;
        take(&format!("{number},{:.6},{live},{peak},{reached},{largest}\n", time.as_secs_f64()));
    };
    check(job.problem, &options, job.limits, job.progress, Some(&mut observer))
}

/// What was chosen for disjunctive images.
fn disjunctive(values: &Values) -> disjunctive::Options {
    let defaults = disjunctive::Options::default();
    let traversal = match values.text(&TRAVERSAL) {
        Some("fbf") => Traversal::Fbf,
        Some("chain") => Traversal::Chain,
        Some("mbm") => Traversal::Mbm,
        _ => Traversal::Wto,
    };
    let threshold = if traversal == Traversal::Wto { defaults.threshold } else { PAPERS_THRESHOLD };
    disjunctive::Options {
        direction: match values.text(&DIRECTION) {
            Some("backward") => Direction::Backward,
            Some("both") => Direction::Both,
            _ => Direction::Forward,
        },
        traversal,
        stores: if values.text(&STORES) == Some("each") { Stores::Each } else { Stores::One },
        locality: match values.text(&LOCALITY) {
            Some("relevant") => Locality::Relevant,
            Some("off") => Locality::Off,
            _ => Locality::Assigned,
        },
        criterion: match values.text(&PARTITION) {
            Some("asgn-var") => Criterion::AsgnVar,
            Some("cfg-edge") => Criterion::CfgEdge,
            _ => Criterion::LiveVar,
        },
        threshold: values.parsed(&THRESHOLD).unwrap_or(threshold),
        ..defaults
    }
}

/// Checks a property; `observer` is told of each round.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    observer: Option<&mut dyn FnMut(&Round)>,
) -> Report {
    explore(problem, options, limits, progress, observer).unwrap_or_else(|stopped| Report::unknown(stopped.into()))
}

fn explore(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    observer: Option<&mut dyn FnMut(&Round)>,
) -> Result<Report, Stopped> {
    if problem.facts.program.main.is_none() {
        return Ok(Report::unknown(Reason::NoMain));
    }
    let mut phases = Phases::default();
    progress.set_activity("model");
    let intervals = problem.intervals(limits);
    let mut model = Model::of(&problem.facts, intervals, &options.model, limits)?;
    let circuit = Circuit::of(&mut model, limits)?;
    let space = Space::new(&model, &circuit, options.images.reordering, options.images.store);
    phases.end("model");
    let goals = targets(problem, &model);
    let mut open: Vec<usize> = goals.iter().flatten().copied().collect();
    let is_violation = |location: usize| {
        problem.targets.iter().zip(&goals).any(|(t, goal)| *goal == Some(location) && t.is_violation())
    };
    // A target that the model does not have is proved by the fixpoint only.
    let all_present = goals.iter().all(Option::is_some);
    let mut is_enough = |location: usize| {
        let before = open.len();
        open.retain(|&goal| goal != location);
        (all_present && open.is_empty() && before > 0) || (!problem.each && is_violation(location))
    };
    let mut steps = Steps::with(observer);
    let images = &options.images;
    let reached = search::explore(&model, &circuit, &space, images, limits, progress, &mut steps, &mut is_enough);
    phases.end("reachability");
    let mut counters = counters(&model, &space, &steps);
    let reached = match reached {
        Ok(reached) => reached,
        // How far it came is worth telling.
        Err(stopped) => return Ok(Report { phases: phases.list, counters, ..Report::unknown(stopped.into()) }),
    };
    counters.push(("relations", reached.relations().to_string()));
    progress.set_activity("counterexamples");
    let incomplete = incomplete(&model, |location| reached.contains(location));
    let is_complete =
        !goals.iter().flatten().any(|&goal| !problem.each && is_violation(goal) && reached.contains(goal));
    let replayer = Replayer::of(problem);
    let mut findings = Vec::new();
    for (target, goal) in problem.targets.iter().zip(&goals) {
        let verdict = match goal.filter(|&goal| reached.contains(goal)) {
            Some(goal) => match path(&model, &*reached, goal, limits) {
                Ok(steps) => {
                    execute(problem, &replayer, &steps, target, options.traces, limits).unwrap_or_else(Verdict::Unknown)
                }
                Err(stopped) => Verdict::Unknown(stopped.into()),
            },
            // The exploration ended at another violation.
            None if !is_complete => continue,
            None => match &incomplete {
                Some(reason) => Verdict::Unknown(reason.clone()),
                None => Verdict::True,
            },
        };
        findings.push(Finding { target: target.clone(), verdict });
    }
    phases.end("counterexamples");
    let report =
        outcome::report(problem, findings, incomplete, || certificate(problem, intervals, &model, &space, &*reached));
    phases.end("certificate");
    let approximations = model.approximations.iter().map(|a| (place(a.pos), a.what)).collect();
    Ok(Report { approximations, phases: phases.list, counters, ..report })
}

/// The steps of an execution to a location.
fn path(model: &Model, reached: &dyn Reached, goal: usize, limits: &Limits) -> Result<Vec<Step>, Stopped> {
    let trace = reached.trace(goal, limits)?;
    Ok(trace.into_iter().flat_map(|(location, exit)| model.exits[location][exit].steps.iter().copied()).collect())
}

/// What it took.
fn counters(model: &Model, space: &Space, steps: &Steps<'_>) -> Vec<(&'static str, String)> {
    let statistics = space.diagrams.statistics();
    let mut counters = vec![
        ("locations", model.places.len().to_string()),
        ("words", model.words.len().to_string()),
        ("state bits", (model.bits() + model.counter_bits()).to_string()),
        ("rounds", steps.rounds.to_string()),
        ("largest product", steps.largest.to_string()),
        ("peak live nodes", steps.peak.to_string()),
        ("BDD nodes", format!("{} (peak {})", statistics.nodes, statistics.peak_nodes)),
    ];
    if steps.transfers.count > 0 {
        let Transfers { count, nodes, time } = steps.transfers;
        counters.push(("transfers", format!("{count} with {nodes} nodes, {:.3} s", time.as_secs_f64())));
    }
    if statistics.reorderings > 0 {
        let time = statistics.reordering_time.as_secs_f64();
        counters.push(("reordering", format!("{} times, {time:.3} s", statistics.reorderings)));
    }
    counters
}

/// The reachable sets as invariant.
fn certificate(
    problem: &Problem,
    intervals: Option<&Invariants>,
    model: &Model,
    space: &Space,
    reached: &dyn Reached,
) -> Option<Certificate> {
    let of_var: FxHashMap<_, _> = (space.now.iter().enumerate())
        .flat_map(|(word, vars)| vars.iter().enumerate().map(move |(bit, &var)| (var, (word, bit))))
        .collect();
    let formula = |set: &Bdd, terms: &mut Terms, bits: &[Vec<Term>]| -> Term {
        let (yes, no) = (terms.yes(), terms.no());
        space.diagrams.fold(set, yes, no, |var, high, low| {
            let (word, bit) = of_var[&var];
            terms.ite(bits[word][bit], high, low)
        })
    };
    invariant::certificate(problem, model, intervals, |location, terms, bits| {
        // What is dead may have been kept, and then says nothing.
        let dead = (0..model.words.len()).filter(|&word| !model.live[location].contains(word));
        let dead: Vec<VarIndex> = dead.flat_map(|word| space.now[word].iter().copied()).collect();
        let live = |set: &Bdd| space.diagrams.exists(set, &space.diagrams.cube(&dead)?);
        let set = live(&reached.at(location)?).map_err(|_| Stopped::Memory)?;
        Ok(formula(&set, terms, bits))
    })
    .ok()
}
