//! What a process and its descendants use, from `/proc`.

use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// What is used by a process and its descendants. A process that is gone counts nothing, except for the CPU time of
/// those that somebody waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Bytes in memory now. Pages that processes share count once for each.
    pub memory: u64,
    /// CPU time so far, user and system.
    pub cpu: Duration,
}

impl Usage {
    /// The sum over a process and its descendants.
    pub fn of_tree(root: Pid) -> Self {
        let mut open = vec![root.as_raw_pid().to_string()];
        let (mut pages, mut ticks) = (0, 0);
        while let Some(pid) = open.pop() {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if let Some((resident, time)) = parse(&stat) {
                pages += resident;
                ticks += time;
            }
            // Each thread has its own list of children. A kernel without these lists shows the process itself only.
            for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
                let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                open.extend(children.split_whitespace().map(str::to_owned));
            }
        }
        let cpu = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
        Self { memory: pages * rustix::param::page_size() as u64, cpu }
    }
}

/// Resident pages and ticks of CPU time, of the process and the children that it waited for. The fields are counted from
/// the end of the name, which may hold anything: `42 (a) b) S 1 …`.
fn parse(stat: &str) -> Option<(u64, u64)> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // Fields 14 to 17 and 24 of proc(5); the first one after the name is field 3.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some((number(24)?, number(14)? + number(15)? + number(16)? + number(17)?))
}

/// The most memory that one process had so far, in bytes.
pub fn peak(pid: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_line() {
        let text = "7 (a) b) S 1 7 7 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 99 1000000 555 18446744073709551615";
        assert_eq!(parse(text), Some((555, 127)));
        assert_eq!(parse("7 (a) S 1"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn counts_children() {
        let own = Pid::from_raw(std::process::id() as i32).unwrap();
        assert!(Usage::of_tree(own).memory > 100_000);
        let script = "(i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; sleep 5) & sleep 5";
        let mut shell = Command::new("sh").args(["-c", script]).spawn().unwrap();
        let pid = Pid::from_child(&shell);
        let alone = peak(&pid.as_raw_pid().to_string()).unwrap();
        let start = std::time::Instant::now();
        let mut seen = Usage::default();
        while start.elapsed() < Duration::from_secs(60)
            && (seen.cpu < Duration::from_millis(20) || seen.memory <= alone)
        {
            std::thread::sleep(Duration::from_millis(10));
            seen = Usage::of_tree(pid);
        }
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert!(seen.memory > alone && seen.cpu >= Duration::from_millis(20), "{seen:?} {alone}");
    }
}
