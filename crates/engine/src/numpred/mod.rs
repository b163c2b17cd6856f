//! Predicates and numbers in one abstract state: engines `nexpoint`, `nex`, `mtndd` and `ndd`.
//!
//! Gurfinkel, Chaki: *Combining predicate and numeric abstraction for software model checking*, FMCAD 2008. The data structures are
//! `robusto_numpred`'s. `graph` unfolds the program by calls, `abstraction` makes transformers of its steps with the
//! solver, `numbers` are machine integers, `cycle` is the loop of abstraction and refinement (Section VI), `certificate` writes
//! down what holds.

mod abstraction;
mod certificate;
mod cycle;
mod explain;
mod graph;
mod learn;
mod numbers;
mod places;
mod show;

use crate::numeric::{self, DOMAIN};
use crate::registry::{Call, Engine, Job, Kind, Opt, PREDICATES};
pub use cycle::{Options, Structure, check};
use robusto_verdict::{Reason, Report, Verdict};

static WIDENING: Opt = Opt {
    name: "widening",
    help: "whether values are widened at heads of loops",
    kind: Kind::Choice {
        value: "WHETHER",
        list: &[
            ("on", "After some rounds, so that every analysis ends"),
            ("off", "Never: an analysis ends if the program has few values"),
        ],
    },
};

static NUMERIC_VARS: Opt = Opt {
    name: "numeric-vars",
    help: "the variables that numbers are known of, separated by commas: x, f::y; no others are added",
    kind: Kind::Text { value: "LIST", default: None, check: |_| Ok(()) },
};

/// Whether to print the abstract program.
pub static SHOW_ABSTRACTION: Opt =
    Opt { name: "show-abstraction", help: "print the last abstract program", kind: Kind::Flag };

macro_rules! engine {
    ($name:ident, $text:expr, $structure:expr, $about:expr, $help:expr) => {
        /// The engine.
        pub static $name: Engine = Engine {
            name: $text,
            about: $about,
            help: $help,
            options: &[&DOMAIN, &WIDENING, &NUMERIC_VARS, &PREDICATES, &SHOW_ABSTRACTION],
            call: Call::Alone(|job| call(job, $structure)),
        };
    };
}

engine!(
    NEXPOINT,
    "nexpoint",
    Structure::Nexpoint,
    "Predicates beside one numeric value",
    "\
Predicate abstraction beside numeric analysis: at each location the possible values of the
predicates, and one numeric value for all of them. Variables and predicates are found by
refinement. (docs/numpred.md)"
);

engine!(
    NEX,
    "nex",
    Structure::Nex,
    "A numeric value per valuation of predicates",
    "\
As nexpoint, with a numeric value for each set of valuations of the predicates, as a list of
pairs. (docs/numpred.md)"
);

engine!(
    MTNDD,
    "mtndd",
    Structure::Mtndd,
    "The same as a multi-terminal decision diagram",
    "\
As nex, with a decision diagram over the predicates whose terminals are numeric values. Shares
more where there are many predicates. (docs/numpred.md)"
);

engine!(
    NDD,
    "ndd",
    Structure::Ndd,
    "Decision diagrams over predicates and numeric terms",
    "\
Decision diagrams over predicates and numeric terms: sets of numeric values for each valuation
of the predicates, joined exactly except where loops are widened. (docs/numpred.md)"
);

/// Every domain but the last gets this part of the time that is left.
const SHARE: u32 = 2;

fn call(job: &Job<'_>, structure: Structure) -> Report {
    let list = job.values.text(&NUMERIC_VARS);
    let shown = job.values.has(&SHOW_ABSTRACTION).then_some(job.outputs.explanation.as_deref()).flatten();
    let mut report = Report::unknown(Reason::NoProgress);
    let domains = numeric::domains(job.values);
    for (i, &domain) in domains.iter().enumerate() {
        let is_last = i + 1 == domains.len();
        let time = job.limits.remaining().filter(|_| !is_last).map(|left| left / SHARE);
        let own = time.map_or_else(|| job.limits.clone(), |time| job.limits.within(time));
        let options = Options {
            structure,
            domain,
            widening: job.values.text(&WIDENING) != Some("off"),
            predicates: job.values.text(&PREDICATES).map(str::to_owned),
            variables: list.map(|list| list.split(',').map(|name| name.trim().to_owned()).collect()),
            traces: job.traces,
        };
        report = check(job.problem, &options, &own, job.progress, |text| {
            if let Some(tell) = shown {
                tell(text);
            }
        });
        // A stronger domain helps where this one was too coarse, or went on without an end.
        let weak = matches!(
            report.verdict,
            Verdict::Unknown(Reason::NoProgress | Reason::Imprecise(_) | Reason::OutsideRules(_) | Reason::Timeout)
        );
        if !weak || job.limits.look().is_err() {
            break;
        }
    }
    report
}
