//! Resident memory of a process and its descendants, from `/proc`.

use rustix::process::Pid;
use std::fs;

/// Bytes in memory now. Pages that processes share count once for each; a process that is gone counts nothing.
pub fn resident(root: Pid) -> u64 {
    let mut open = vec![root.as_raw_pid().to_string()];
    let mut pages = 0;
    while let Some(pid) = open.pop() {
        pages += resident_pages(&pid);
        // Each thread has its own list of children. A kernel without these lists shows the process itself only.
        for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            open.extend(children.split_whitespace().map(str::to_owned));
        }
    }
    pages * rustix::param::page_size() as u64
}

/// The second number of `statm`.
fn resident_pages(pid: &str) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn counts_children() {
        let own = Pid::from_raw(std::process::id() as i32).unwrap();
        assert!(resident(own) > 100_000);
        let mut shell = Command::new("sh").args(["-c", "sleep 1 & sleep 1; wait"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        let pid = Pid::from_child(&shell);
        let alone = resident_pages(&pid.as_raw_pid().to_string()) * rustix::param::page_size() as u64;
        let all = resident(pid);
        shell.wait().unwrap();
        assert!(all > alone, "{all} {alone}");
    }
}
