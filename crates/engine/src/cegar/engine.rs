//! Predicate analysis and IMPACT as engines.

use super::{Interpolation, Labels, Options, check};
use crate::draw::{self, Appearance};
use crate::registry::{
    ARG, Call, Engine, INVARIANTS, Job, Kind, ORDER, Opt, PREDICATES, SMT2, invariants, order, readable,
};
use robusto_analyses::predicate::{AbstractionKind, BlockOperator, MergeKind, Role, Scope};
use robusto_cfa::analysis::large::LargeBlocks;
use robusto_cfa::ir::{FuncId, IdxVec, Program};
use robusto_cfa::text::Names;
use robusto_cpa::Step;
use robusto_verdict::Report;

/// Predicate abstraction.
pub static PREDICATE: Engine = Engine {
    name: "predicate",
    about: "Predicate abstraction, refined by counterexamples",
    help: "\
Predicate abstraction, refined by counterexamples. For proofs about loops and protocols whose
invariant relates few variables. --block says how much of the program one formula takes in
(sbe, lbe, preprocessed, loops, k:N, lbe-k:N, structure:N, dynamic:MS, memory:KB), --merge which
paths become one where that holds loops, --precision where predicates are tracked, --abstraction
how they are combined, --interpolation where they come from, --predicates a fixed set of them.
(docs/predicate.md)",
    options: &[&ORDER, &BLOCK, &ABSTRACTION, &PRECISION, &MERGE, &INTERPOLATION, &PREDICATES, &INVARIANTS, &SMT2, &ARG],
    call: Call::Alone(|job| {
        let cartesian = job.values.text(&ABSTRACTION) == Some("cartesian");
        call(job, if cartesian { AbstractionKind::Cartesian } else { AbstractionKind::Boolean })
    }),
};

/// Lazy abstraction with interpolants.
pub static IMPACT: Engine = Engine {
    name: "impact",
    about: "Lazy abstraction with interpolants",
    help: "\
The same blocks and refinement, but no abstraction is computed: places take what refutes the
error paths through them (--labels says in which form). Faster where few paths matter, slower where many do.
(docs/predicate.md)",
    options: &[&ORDER, &BLOCK, &MERGE, &INTERPOLATION, &LABELS, &INVARIANTS, &SMT2, &ARG],
    call: Call::Alone(|job| call(job, AbstractionKind::Impact)),
};

static BLOCK: Opt = Opt {
    name: "block",
    help: "where blocks end: sbe, lbe, preprocessed, loops, k:N, lbe-k:N, structure:N, dynamic:MS, memory:KB",
    kind: Kind::Text { value: "OPERATOR", default: Some("loops"), check: readable::<BlockOperator> },
};

static ABSTRACTION: Opt = Opt {
    name: "abstraction",
    help: "how abstractions are computed",
    kind: Kind::Choice {
        value: "KIND",
        list: &[
            ("boolean", "The strongest Boolean combination of the predicates"),
            ("cartesian", "The strongest conjunction of the predicates"),
        ],
    },
};

static PRECISION: Opt = Opt {
    name: "precision",
    help: "where a predicate is tracked: location (where it was found), shared (facts about globals alone also at all heads of loops), between (also inside of the block that ends there), function, global; by default function for \
           blocks k:N and memory:KB, shared for loops, and location for the others",
    kind: Kind::Text { value: "SCOPE", default: None, check: readable::<Scope> },
};

static MERGE: Opt = Opt {
    name: "merge",
    help: "which paths become one, in blocks that hold loops (k:N, structure:N, dynamic:MS, memory:KB)",
    kind: Kind::Choice {
        value: "PATHS",
        list: &[
            ("visits", "Paths that have gone round the same loops equally often"),
            ("block", "All paths to a place that start together"),
        ],
    },
};

static INTERPOLATION: Opt = Opt {
    name: "interpolation",
    help: "where new predicates come from first",
    kind: Kind::Choice {
        value: "METHOD",
        list: &[
            ("wp", "Weakest preconditions of the conditions that contradict each other on a path"),
            ("craig", "Craig interpolants from the proof of the SAT solver"),
        ],
    },
};

static LABELS: Opt = Opt {
    name: "labels",
    help: "what refutes an error path becomes labels as",
    kind: Kind::Choice {
        value: "FORM",
        list: &[
            ("abstraction", "Abstractions of the path by the predicates that refute it"),
            ("interpolants", "Craig interpolants of its blocks"),
        ],
    },
};

fn call(job: &Job<'_>, abstraction: AbstractionKind) -> Report {
    let values = job.values;
    let block = values.parsed(&BLOCK).unwrap_or(BlockOperator::Loops);
    let options = Options {
        block,
        abstraction,
        scope: values.parsed(&PRECISION).unwrap_or(block.scope()),
        merge: if values.text(&MERGE) == Some("block") { MergeKind::Block } else { MergeKind::Visits },
        order: order(values),
        interpolation: match values.text(&INTERPOLATION) {
            Some("craig") => Interpolation::Craig,
            _ => Interpolation::Wp,
        },
        labels: match values.text(&LABELS) {
            Some("interpolants") => Labels::Interpolants,
            _ => Labels::Abstraction,
        },
        predicates: values.text(&PREDICATES).map(str::to_owned),
        invariants: invariants(values),
        traces: job.traces,
        smt2: job.outputs.queries.clone(),
    };
    check(job.problem, &options, job.limits, job.progress, |abe, arg| {
        let Some(take) = &job.outputs.graph else { return };
        let engine = if abstraction == AbstractionKind::Impact { &IMPACT } else { &PREDICATE };
        let program = &job.problem.facts.program;
        let names = Names::new(program);
        let automata: IdxVec<FuncId, Option<LargeBlocks>> =
            program.functions.ids().map(|function| abe.large_blocks(function).cloned()).collect();
        let block = |step| name_of(program, &names, &automata, step);
        let drawn = draw::graph(program, arg, block, |state| {
            let shaded = state.role == Role::Start;
            let text = if shaded { vec![abe.show(state.block)] } else { Vec::new() };
            Appearance { text, shaded }
        });
        take(engine.name, drawn);
    })
}

/// Longest text of a large block in a drawing.
const LONGEST: usize = 80;

/// What a step through a large block does.
fn name_of(program: &Program, names: &Names<'_>, automata: &IdxVec<FuncId, Option<LargeBlocks>>, step: Step) -> String {
    let Step::Block { function, from, to, .. } = step else { return String::new() };
    let block = automata[function].as_ref().and_then(|automaton| automaton.blocks[from].as_ref());
    let Some((block, part)) = block.and_then(|block| Some((block, block.to(to)?))) else { return String::new() };
    let text = block.show(names, &program.functions[function], part);
    if text.chars().count() <= LONGEST {
        return text;
    }
    let (operations, paths) = block.size(part);
    format!("{operations} operations on {paths} paths")
}
