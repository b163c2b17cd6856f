//! What others may know of a running engine.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// How far a running engine is; read by whoever shows it.
#[derive(Default, Debug)]
pub struct Progress {
    /// Abstract states reached.
    pub reached: AtomicU64,
    /// Abstract states waiting.
    pub waiting: AtomicU64,
    /// Expansions done.
    pub expanded: AtomicU64,
    /// Refinements done.
    pub refinements: AtomicU64,
    /// How far loops are unrolled.
    pub bound: AtomicU64,
    /// Nothing violates the property within so many iterations of every loop and activations of every recursive function.
    pub cleared: AtomicU64,
    running: Mutex<Vec<Activity>>,
}

/// What a thread does.
#[derive(Debug)]
struct Activity {
    thread: ThreadId,
    /// Who is at work, if that was told.
    name: Option<&'static str>,
    text: String,
}

/// Somebody is at work in this thread until this is dropped.
#[derive(Debug)]
pub struct Running<'p> {
    progress: &'p Progress,
    thread: ThreadId,
}

impl Progress {
    /// Tells that somebody begins to work in this thread.
    pub fn begin(&self, name: &'static str) -> Running<'_> {
        let thread = thread::current().id();
        self.running().push(Activity { thread, name: Some(name), text: String::new() });
        Running { progress: self, thread }
    }

    /// Tells what this thread does now.
    pub fn set_activity(&self, text: &str) {
        let thread = thread::current().id();
        let mut running = self.running();
        match running.iter_mut().rfind(|activity| activity.thread == thread) {
            Some(activity) => text.clone_into(&mut activity.text),
            None => running.push(Activity { thread, name: None, text: text.to_owned() }),
        }
    }

    /// What is done now, of all that run side by side: `bmc; predicate: certification`.
    pub fn activity(&self) -> String {
        let running = self.running();
        let shown = |activity: &Activity| match (activity.name, &*activity.text) {
            (Some(name), "") => name.to_owned(),
            (Some(name), text) => format!("{name}: {text}"),
            (None, text) => text.to_owned(),
        };
        running.iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    fn running(&self) -> MutexGuard<'_, Vec<Activity>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut running = self.progress.running();
        if let Some(own) = running.iter().rposition(|activity| activity.thread == self.thread) {
            running.remove(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_now_is_shown_of_all_threads() {
        let progress = Progress::default();
        assert_eq!(progress.activity(), "");
        let preparation = progress.begin("preparation");
        assert_eq!(progress.activity(), "preparation");
        drop(preparation);
        let _bmc = progress.begin("bmc");
        thread::scope(|scope| {
            scope.spawn(|| {
                let _predicate = progress.begin("predicate");
                progress.set_activity("certification");
                assert_eq!(progress.activity(), "bmc; predicate: certification");
            });
        });
        assert_eq!(progress.activity(), "bmc", "who has ended is not there any more");
    }
}
