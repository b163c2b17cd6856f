//! `--executor slurm` as a user calls it, with scripts in place of Slurm. `scripts/slurm-test` tries the real one.
#![cfg(target_os = "linux")]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::Folder;

/// Starts each job of the array at once, in a session of its own. Jobs whose number is in the file `doomed` disappear with their
/// node: the daemon kills them after a moment.
const SBATCH: &str = r#"#!/bin/sh
echo "$*" >> "$FAKE/calls"
[ -e "$FAKE/broken" ] && echo 'sbatch: error: invalid partition specified' >&2 && exit 1
mkdir -p "$FAKE/jobs"
array=$(($(cat "$FAKE/last" 2> /dev/null || echo 100) + 1))
echo $array > "$FAKE/last"
while :; do
  case $1 in
    --array=*) last=${1#--array=0-}; last=${last%%%*} ;;
    --job-name=*) name=${1#--job-name=} ;;
    --chdir | --output) shift ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
for index in $(seq 0 $last); do
  SLURM_ARRAY_TASK_ID=$index setsid sh "$@" > /dev/null 2>> "$FAKE/errors" < /dev/null &
  echo $! > "$FAKE/jobs/$name.$array.$index"
  if grep -qx "$array.$index" "$FAKE/doomed" 2> /dev/null; then
    { sleep 0.7; kill -KILL -$(cat "$FAKE/jobs/$name.$array.$index"); } > /dev/null 2>&1 < /dev/null &
  fi
done
echo "$array;fake"
"#;

const SQUEUE: &str = r#"#!/bin/sh
for argument; do case $argument in --name=*) name=${argument#--name=} ;; esac; done
for job in "$FAKE"/jobs/$name.*; do
  rest=${job#"$FAKE/jobs/$name."}
  if [ -e "$job" ] && kill -0 -$(cat "$job") 2> /dev/null; then echo "${rest%.*}|${rest#*.}|RUNNING|None"; fi
done
"#;

const SCANCEL: &str = r#"#!/bin/sh
echo "scancel $*" >> "$FAKE/calls"
for argument; do case $argument in --name=*) name=${argument#--name=} ;; esac; done
for job in "$FAKE"/jobs/$name.*; do
  if [ -e "$job" ]; then kill -TERM -$(cat "$job") 2> /dev/null; fi
done
exit 0
"#;

/// Answers by the task's name.
const TOOL: &str = "#!/bin/sh
[ \"$1\" = --version ] && echo 'fake 1.0' && exit 0
case $2 in
*slow*) sleep 1.5; echo 'RESULT: true' ;;
*true*) echo 'RESULT: true' ;;
*false*) echo 'RESULT: false(unreach-call)'; exit 10 ;;
*hang*) sleep 600 ;;
esac
";

struct Cluster(Folder);

impl Cluster {
    fn new(name: &str, tasks: &[&str]) -> Self {
        let folder = Folder::new(name);
        let scripts = [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL), ("tool", TOOL)];
        for (script, text) in scripts {
            // Written by another process: this one may be starting others, to which it would lend the open file.
            folder.write(&format!("{script}.txt"), text);
            let install = format!("mkdir -p bin && install -m 755 {script}.txt bin/{script}");
            let status = Command::new("sh").args(["-c", &install]).current_dir(folder.path("")).status();
            assert!(status.unwrap().success());
        }
        for task in tasks {
            let expected = !task.contains("false");
            let property = format!("{{property_file: unreach-call.prp, expected_verdict: {expected}}}");
            folder.write(&format!("tasks/a/{task}.yml"), format!("input_files: a.c\nproperties: [{property}]\n"));
        }
        Self(folder)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.0.command(args);
        let path = format!("{}:{}", self.0.path("bin").display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("FAKE", self.0.path(""));
        command
    }

    fn run(&self, args: &[&str]) -> support::Outcome {
        support::finish(self.command(args).spawn().expect("the binary starts"))
    }

    /// `robusto bench` with the fake tool.
    fn bench(&self, args: &[&str]) -> support::Outcome {
        self.run(&[&BENCH[..], args].concat())
    }

    fn calls(&self) -> String {
        std::fs::read_to_string(self.0.path("calls")).unwrap_or_default()
    }

    /// Tasks in the journal, each once.
    fn finished(&self) -> BTreeSet<String> {
        let text = std::fs::read_to_string(self.0.path("robusto-bench/results.jsonl")).unwrap_or_default();
        let tasks = text.lines().filter_map(|line| line.split_once("\"task\":\"a/")).map(|(_, rest)| rest);
        let tasks: Vec<String> = tasks.map(|rest| rest.split('.').next().unwrap().to_owned()).collect();
        let set: BTreeSet<String> = tasks.iter().cloned().collect();
        assert_eq!(set.len(), tasks.len(), "a result counts once: {tasks:?}");
        set
    }
}

const BENCH: [&str; 8] = ["bench", "--executor", "slurm", "--tool", "bin/tool", "--slurm-poll", "200ms", "tasks"];

#[test]
fn a_benchmark() {
    let cluster = Cluster::new("cluster_bench", &["true-1", "false-2", "slow-3"]);
    let args = ["--slurm-partition", "big", "--slurm-account", "me", "--slurm-option=--qos=long", "--timeout", "10s"];
    let outcome = cluster.bench(&args).expect(0).prints("auto      3       3     2      1");
    assert_eq!(outcome.stderr, "");
    let calls = cluster.calls();
    for part in ["--array=0-2 ", "--partition=big --account=me --qos=long", "--time=2 ", "--mem=", "--no-requeue"] {
        assert!(calls.contains(part), "{part} is not in {calls}");
    }
    assert!(!cluster.0.path("robusto-bench/cluster").exists());
    assert!(cluster.0.path("robusto-bench/logs/auto/a/slow-3.yml.log").exists());
    // All is finished.
    cluster.bench(&[&args[..], &["--resume"]].concat()).expect(0).prints("auto      3       3     2      1");
    assert_eq!(cluster.calls(), calls);
}

#[test]
fn several_runs_per_job() {
    let cluster = Cluster::new("cluster_chunks", &["true-1", "true-2", "true-3", "false-4", "false-5"]);
    cluster.bench(&["--runs-per-job", "2", "--jobs", "1"]).expect(0).prints("auto      5       5     3      2");
    assert!(cluster.calls().contains("--array=0-2%1 "), "{}", cluster.calls());
}

#[test]
fn a_lost_node_loses_nothing() {
    let cluster = Cluster::new("cluster_node", &["false-1", "slow-2", "slow-3", "true-4"]);
    // The first array is number 101. Its jobs disappear in the middle of the slow runs.
    cluster.0.write("doomed", "101.0\n101.1\n");
    let outcome = cluster.bench(&["--runs-per-job", "2"]).expect(0).prints("auto      4       4     3      1");
    assert_eq!(outcome.stderr.matches("a job was lost during a/slow").count(), 2, "{}", outcome.stderr);
    assert_eq!(cluster.finished().len(), 4);
}

#[test]
fn interrupted_and_resumed() {
    let cluster = Cluster::new("cluster_interrupt", &["true-1", "true-2", "hang-3", "slow-4"]);
    let child = cluster.command(&BENCH).spawn().unwrap();
    support::wait_until("two runs", || cluster.finished().len() >= 2);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    support::finish(child).expect(5).says("--resume");
    assert!(cluster.calls().contains("scancel --name=robusto-"), "{}", cluster.calls());
    let rest = ["--resume", "--match", "*-[124]"];
    cluster.bench(&rest).expect(0);
    let names = ["slow-4", "true-1", "true-2"].map(str::to_owned);
    assert_eq!(cluster.finished(), BTreeSet::from(names));
}

/// The files below a folder that are text.
fn texts(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let below = |path: PathBuf| match path.is_dir() {
        true => texts(&path),
        false => std::fs::read_to_string(&path).into_iter().collect(),
    };
    entries.flat_map(below).collect()
}

/// The process that submitted the jobs dies without a chance to cancel them. Its successor does, and has what they finished.
#[test]
fn killed_and_resumed() {
    let cluster = Cluster::new("cluster_killed", &["true-1", "hang-2", "slow-3"]);
    let mut child = cluster.command(&BENCH).spawn().unwrap();
    support::wait_until("a run", || !cluster.finished().is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    // The slow one finishes for nobody.
    let folder = cluster.0.path("robusto-bench/cluster");
    let is_result = |line: &str| line.contains("slow-3") && line.contains("\"status\":\"true\"");
    support::wait_until("the slow run", || texts(&folder).iter().any(|text| text.lines().any(is_result)));
    cluster.bench(&["--resume", "--match", "*-[13]"]).expect(0).says("1 results came after the interruption");
    assert_eq!(cluster.finished(), BTreeSet::from(["true-1", "slow-3"].map(str::to_owned)));
    assert_eq!(cluster.calls().matches("--array").count(), 1, "nothing runs twice: {}", cluster.calls());
    assert!(!cluster.0.path("robusto-bench/cluster").exists());
}

#[test]
fn wrong_use() {
    let cluster = Cluster::new("cluster_wrong", &["true-1"]);
    let local = ["bench", "--tool", "bin/tool", "tasks"];
    cluster.run(&[&local[..], &["--slurm-partition", "big"]].concat()).expect(1).says("--executor slurm");
    cluster.run(&[&local[..], &["--runs-per-job", "2"]].concat()).expect(1).says("--executor slurm");
    cluster.run(&["check", "--executor", "slurm", "a.c"]).expect(1).says("--configurations");
    cluster.0.write("broken", "");
    cluster.bench(&[]).expect(1).says("invalid partition specified");
    // Without Slurm at all.
    assert!(!cluster.0.path("robusto-bench/cluster").exists(), "there is nothing to recover");
    let mut command = cluster.0.command(&[&BENCH[..], &["-o", "other"]].concat());
    support::finish(command.env("PATH", "/nonexistent").spawn().unwrap()).expect(1).says("sbatch");
}

#[test]
fn parts_of_the_tasks() {
    let cluster = Cluster::new("cluster_shards", &["true-1", "false-2", "true-3"]);
    for part in ["1/2", "2/2"] {
        let out = format!("part{}", &part[..1]);
        cluster.run(&["bench", "--tool", "bin/tool", "tasks", "--shard", part, "-o", &out]).expect(0);
    }
    // Journals of parts, one after the other, are one of all.
    let both =
        ["part1", "part2"].map(|part| std::fs::read_to_string(cluster.0.path(part).join("results.jsonl")).unwrap());
    cluster.0.write("all/results.jsonl", both.concat());
    cluster.run(&["bench", "report", "all"]).expect(0).prints("auto      3       3     2      1");
    cluster.run(&["bench", "tasks", "--shard", "3/2"]).expect(1).says("no part such as 1/4");
}
