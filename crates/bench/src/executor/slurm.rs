//! Slurm: job arrays through `sbatch`, looked at by `squeue`, ended by `scancel`.

use super::scheduler::{Needs, Queue, Scheduler};
use super::spool::{ChunkId, Spool};
use crate::words;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How jobs are submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slurm {
    /// This program, which the jobs run as `PROGRAM bench worker FOLDER K`.
    program: PathBuf,
    /// Options of `sbatch`.
    options: Vec<String>,
    /// Most jobs of an array that run at a time.
    jobs: Option<usize>,
    /// The first chunk of each array, by the array's number.
    arrays: BTreeMap<String, u32>,
}

/// Most jobs in an array, whatever the cluster allows: `squeue` lists them all each time.
const MOST: usize = 1000;

/// The script of a job. Its argument is the first chunk of the array. `exec`: signals are for the worker.
const SCRIPT: &str = "job.sh";

impl Slurm {
    /// Jobs that run this program, with options of `sbatch`.
    pub fn new(program: PathBuf, options: Vec<String>, jobs: Option<usize>) -> Self {
        Self { program, options, jobs, arrays: BTreeMap::new() }
    }

    /// The call of `sbatch` for an array of jobs.
    fn sbatch(&self, spool: &Spool, chunks: &Range<u32>, needs: Needs) -> io::Result<Command> {
        let mut command = Command::new("sbatch");
        let throttle = self.jobs.map_or(String::new(), |jobs| format!("%{jobs}"));
        command.args(["--parsable", "--no-requeue", "--ntasks=1", "--cpus-per-task=1"]);
        command.arg(format!("--job-name={}", spool.name()));
        command.arg(format!("--array=0-{}{throttle}", chunks.len() - 1));
        if let Some(memory) = needs.memory {
            command.arg(format!("--mem={}K", memory.div_ceil(1024)));
        }
        if let Some(time) = needs.time {
            // In minutes, as finer limits are rounded up anyway.
            command.arg(format!("--time={}", time.as_secs().div_ceil(60)));
        }
        // Tasks are named as on the command line, from where it was given.
        command.arg("--chdir").arg(std::env::current_dir()?);
        command.arg("--output").arg(spool.output().join("%A_%a.txt"));
        // Last, so that they come before what is above.
        command.args(&self.options).arg(spool.folder().join(SCRIPT)).arg(chunks.start.to_string());
        Ok(command)
    }
}

impl Scheduler for Slurm {
    fn most_at_once(&mut self) -> usize {
        // Where it does not tell, 1001 is the default, and fits.
        let config = output(Command::new("scontrol").args(["show", "config"])).unwrap_or_default();
        array_size(&config).unwrap_or(MOST).clamp(1, MOST)
    }

    fn submit(&mut self, spool: &Spool, chunks: Range<u32>, needs: Needs) -> io::Result<()> {
        let no_text = || io::Error::other("the path of this program or of the results is not UTF-8");
        let words = [self.program.as_os_str(), OsStr::new("bench"), OsStr::new("worker"), spool.folder().as_os_str()];
        let words: Option<Vec<&str>> = words.into_iter().map(OsStr::to_str).collect();
        let line = words::join(&words.ok_or_else(no_text)?);
        spool.write(SCRIPT, &format!("#!/bin/sh\nexec {line} \"$((SLURM_ARRAY_TASK_ID + $1))\"\n"))?;
        let answer = output(&mut self.sbatch(spool, &chunks, needs)?)?;
        // `NUMBER` or `NUMBER;CLUSTER`, perhaps after what a site's plugin has to say.
        let number = answer.lines().last().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(io::Error::other(format!("sbatch gives no job's number: {}", answer.trim())));
        }
        self.arrays.insert(number.to_owned(), chunks.start);
        Ok(())
    }

    fn queue(&mut self, spool: &Spool) -> io::Result<Queue> {
        let mut command = Command::new("squeue");
        // By name: a list of numbers is an error once one of them is forgotten.
        command.args(["--noheader", "--array", "--format=%F|%K|%T|%r"]).arg(format!("--name={}", spool.name()));
        Ok(parse(&output(&mut command)?, &self.arrays))
    }

    fn cancel(&mut self, spool: &Spool) -> io::Result<()> {
        output(Command::new("scancel").arg(format!("--name={}", spool.name()))).map(|_| ())
    }
}

/// Runs a program of Slurm.
fn output(command: &mut Command) -> io::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let cannot = |text: String| io::Error::other(format!("{name}: {text}"));
    let output = command.stdin(Stdio::null()).output().map_err(|error| cannot(error.to_string()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(cannot(if text.trim().is_empty() { output.status.to_string() } else { text.trim().to_owned() }));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The largest array of a configuration.
fn array_size(config: &str) -> Option<usize> {
    let line = config.lines().find(|line| line.trim_start().starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

/// Reads lines `ARRAY|INDEX|STATE|REASON`.
fn parse(text: &str, arrays: &BTreeMap<String, u32>) -> Queue {
    let mut queue = Queue::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.trim().split('|').collect();
        let [array, index, state, reason] = fields[..] else { continue };
        let Ok(index) = index.parse::<u32>() else { continue };
        let chunk = ChunkId(arrays.get(array).copied().unwrap_or(0) + index);
        match state {
            "PENDING" | "CONFIGURING" => {
                queue.waiting.push(chunk);
                queue.reason.get_or_insert_with(|| reason.to_owned());
            }
            "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" | "RESIZING" => {
                queue.running.push(chunk);
            }
            // Over, one way or another: NODE_FAIL, TIMEOUT, OUT_OF_MEMORY, FAILED, CANCELLED, …
            _ => {}
        }
    }
    queue
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn queues() {
        let arrays = BTreeMap::from([("17".to_owned(), 0), ("19".to_owned(), 1000)]);
        let text = "17|3|RUNNING|None\n19|0|COMPLETING|None\n19|1|PENDING|Resources\n19|2|PENDING|Priority\n\
                    19|4|NODE_FAIL|NodeDown\nnoise\n17|N/A|PENDING|x\n";
        let queue = parse(text, &arrays);
        assert_eq!(queue.running, [ChunkId(3), ChunkId(1000)]);
        assert_eq!(queue.waiting, [ChunkId(1001), ChunkId(1002)]);
        assert_eq!(queue.reason.as_deref(), Some("Resources"));
        assert!(parse("", &arrays).is_empty());
    }

    #[test]
    fn sizes_of_arrays() {
        assert_eq!(array_size("a = 1\nMaxArraySize            = 1001\nMaxJobCount = 10000\n"), Some(1001));
        assert_eq!(array_size(""), None);
    }

    #[test]
    fn submission() {
        let options = ["--partition=big", "--mem=1G"].map(str::to_owned).to_vec();
        let slurm = Slurm::new(PathBuf::from("/bin/robusto"), options, Some(8));
        let spool = Spool::open(std::path::Path::new("/shared/batch"));
        let needs = Needs { time: Some(Duration::from_secs(61)), memory: Some(1_000_001) };
        let command = slurm.sbatch(&spool, &(20..30), needs).expect("there is a current folder");
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        for wanted in ["--array=0-9%8", "--time=2", "--mem=977K", "--job-name=batch", "/shared/batch/output/%A_%a.txt"]
        {
            assert!(args.iter().any(|arg| arg == wanted), "{wanted} is not in {args:?}");
        }
        // What the user says comes later, and so wins.
        assert_eq!(args[args.len() - 4..], ["--partition=big", "--mem=1G", "/shared/batch/job.sh", "20"]);
    }
}
