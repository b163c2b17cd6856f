//! What others may know of a running engine.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

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
    activity: Mutex<String>,
}

impl Progress {
    /// Tells what the engine does now.
    pub fn set_activity(&self, text: &str) {
        let mut activity = self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        activity.clear();
        activity.push_str(text);
    }

    /// What the engine does now.
    pub fn activity(&self) -> String {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
