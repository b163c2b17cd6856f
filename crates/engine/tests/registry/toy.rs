//! A toy engine: it believes whatever it is told to.

use robusto_engine::registry::{Call, Engine, Job, Kind, Opt};
use robusto_verdict::{Certificate, Finding, Reason, Report, Verdict};

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "toy",
    about: "Believes what it is told",
    help: "Believes what it is told, for tests.",
    options: &[&BELIEF],
    call: Call::Alone(call),
};

/// What it says.
pub static BELIEF: Opt = Opt {
    name: "belief",
    help: "what to say",
    kind: Kind::Choice {
        value: "ANSWER",
        list: &[("unknown", "Nothing"), ("true", "It holds, by a wrong certificate"), ("panic", "Breaks")],
    },
};

fn call(job: &Job<'_>) -> Report {
    let verdict = match job.values.text(&BELIEF) {
        Some("panic") => panic!("a toy breaks"),
        Some("true") => Verdict::True,
        _ => Verdict::Unknown(Reason::NoProgress),
    };
    let finding = |target: &robusto_verdict::Target| Finding { target: target.clone(), verdict: verdict.clone() };
    Report {
        findings: job.problem.targets.iter().map(finding).collect(),
        certificate: Some(Certificate::Vacuous),
        ..Report::new(verdict.clone())
    }
}
