//! What the start of a process adds to the peak of memory that the kernel reports for it.
//!
//! A new process shares its parent's memory until it executes a program, and the kernel then takes over the peak of what it leaves
//! behind. With a parent that had read a file of 60 MB, each tool seemed to use 60 MB.

use super::usage;
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

/// Threads start processes one at a time, so that no reset comes between another's start and look.
static START: Mutex<()> = Mutex::new(());

/// What the kernel's counters may be off by: it adds up the pages of a process in batches per processor.
const SLACK: u64 = 1 << 20;

/// Starts a process. With it comes the peak of this process, which a later peak of the new process has to exceed in
/// order to mean something; it is made as small as possible, namely what is resident now.
pub fn spawn(command: &mut Command) -> io::Result<(Child, u64)> {
    let _alone = START.lock().unwrap_or_else(PoisonError::into_inner);
    // Resets the peak (proc(5)). Where that is not possible, the floor is higher, and looks at the process count.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let child = command.spawn()?;
    Ok((child, usage::peak("self").map_or(0, |peak| peak + SLACK)))
}

/// The peak of a process: what the kernel says if that lies above the floor, else the most that was seen. A process that
/// nobody had time to look at has at most what the kernel says.
pub fn peak(reported: u64, floor: u64, seen: u64) -> u64 {
    if reported > floor || seen == 0 { reported.max(seen) } else { seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts() {
        assert_eq!(peak(90, 60, 80), 90, "the kernel saw more");
        assert_eq!(peak(60, 60, 12), 12, "the kernel saw the parent");
        assert_eq!(peak(60, 60, 0), 60, "nobody looked");
        assert_eq!(peak(90, 60, 150), 150, "several processes together");
    }
}
