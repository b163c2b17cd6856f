//! What has been found out of a problem, written down the moment it is known: a run may end before its engine does.
//!
//! The replay enters every execution that violates a target, and whoever calls an engine enters what it reports, before its
//! proof is checked and again after that. [`so_far`](crate::auto::so_far) makes a report of it at any time, in any thread. Nothing
//! here is a verdict that the engine would not have given: executions were replayed, and proofs say whether they were checked.

use robusto_verdict::{Certification, Counterexample, Finding, Report, Target, Verdict};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Who is told of a violation when it is found.
pub(crate) type Listener = Arc<dyn Fn(&Finding) + Send + Sync>;

/// What is known of the targets of a problem, whoever found it out.
#[derive(Default)]
pub(crate) struct Ledger {
    known: Mutex<Known>,
    listener: OnceLock<Listener>,
}

/// What is known.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// Executions, each with the target that it comes to.
    pub found: Vec<(Target, Counterexample)>,
    /// What engines have ended with, in that order, if it decides anything.
    pub said: Vec<Said>,
    /// Whether this is all that is waited for.
    pub is_enough: bool,
}

/// What an engine has ended with, and how long that took.
#[derive(Clone)]
pub(crate) struct Said {
    pub engine: &'static str,
    pub time: Duration,
    pub report: Report,
}

/// An entry that may still change.
pub(crate) struct Entry(Option<usize>);

impl Ledger {
    /// An empty one that tells the same listener.
    pub fn another(&self) -> Self {
        let listener = self.listener.get().cloned().map_or_else(OnceLock::new, OnceLock::from);
        Self { known: Mutex::default(), listener }
    }

    /// Tells of violations from now on; the first who asks for it is told.
    pub fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that is known now.
    pub fn known(&self) -> Known {
        self.lock().clone()
    }

    /// Whether a property is violated, as far as is known.
    pub fn has_violation(&self) -> bool {
        self.lock().found.iter().any(|(target, _)| target.is_violation())
    }

    /// An execution comes to a target. A later one of the same target is a better one: it is shorter, or has a trace.
    pub fn found(&self, target: &Target, execution: &Counterexample) {
        let mut known = self.lock();
        match known.found.iter_mut().find(|(other, _)| other == target) {
            Some((_, earlier)) => earlier.clone_from(execution),
            None => known.found.push((target.clone(), execution.clone())),
        }
    }

    /// The execution that was found is the one that is shown.
    pub fn tell(&self, target: &Target, execution: &Counterexample) {
        if let Some(listener) = self.listener.get().filter(|_| target.is_violation()) {
            listener(&Finding { target: target.clone(), verdict: Verdict::False(execution.clone()) });
        }
    }

    /// Enters what an engine has ended with; its proof is still to be checked.
    pub fn enter(&self, engine: &'static str, time: Duration, report: &Report) -> Entry {
        let is_decided = |verdict: &Verdict| !matches!(verdict, Verdict::Unknown(_));
        if !is_decided(&report.verdict) && !report.findings.iter().any(|f| is_decided(&f.verdict)) {
            return Entry(None);
        }
        let mut report = report.clone();
        if Report::proves(&report.verdict, &report.findings) {
            report.certification = Certification::No("there was no time to check it".to_owned());
        }
        let mut known = self.lock();
        known.said.push(Said { engine, time, report });
        Entry(Some(known.said.len() - 1))
    }

    /// The proof was checked.
    pub fn amend(&self, entry: Entry, report: &Report) {
        if let Entry(Some(at)) = entry {
            self.lock().said[at].report.clone_from(report);
        }
    }

    /// What is known is enough: the run ends as soon as all who work notice that.
    pub fn end(&self) {
        self.lock().is_enough = true;
    }

    /// Whether the run is about to end.
    pub fn is_over(&self) -> bool {
        self.lock().is_enough
    }

    /// Adds executions to a report that has no answer for their targets: its engine was stopped between the execution and the
    /// report.
    pub fn complete(&self, each: bool, report: &mut Report) {
        let known = self.lock();
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(_));
        if !is_open(&report.verdict) && !each {
            return;
        }
        let mut has_more = false;
        for (target, execution) in &known.found {
            let verdict = Verdict::False(execution.clone());
            match report.findings.iter_mut().find(|finding| finding.target == *target) {
                Some(finding) if is_open(&finding.verdict) => finding.verdict = verdict,
                Some(_) => continue,
                None => report.findings.push(Finding { target: target.clone(), verdict }),
            }
            has_more = true;
        }
        if has_more {
            let is_violated = |f: &Finding| f.target.is_violation() && matches!(f.verdict, Verdict::False(_));
            if !each && report.findings.iter().any(is_violated) {
                report.findings.retain(is_violated);
            }
            report.verdict = Report::overall(&report.findings);
        }
    }
}
