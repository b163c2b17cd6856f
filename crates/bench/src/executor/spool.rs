//! The shared folder through which the process that the user started and the jobs of a cluster talk.
//!
//! | below the folder | written by | content |
//! |---|---|---|
//! | `chunks/K.jsonl` | the user's process | the runs of the K-th job |
//! | `running/K` | the K-th job | which run is under way; it is the one to blame if the job disappears |
//! | `results/K-N.jsonl` | the K-th job | finished runs; deleted once they are in the journal |
//! | `output/` | the workload manager | what jobs print, which is nothing unless something is wrong |
//!
//! Each file is written under another name and then renamed, so a reader sees all of it or nothing, on network file systems
//! too. A file of results is never changed, and what is read is deleted, so the folder that is looked at several times a
//! second stays small whatever the number of runs.

use crate::record::Record;
use crate::work::Work;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A run, by its place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkId(pub u32);

impl WorkId {
    /// The place in the queue.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The runs of one job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChunkId(pub u32);

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

/// A run that is handed to a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Order<W = Work> {
    /// Which one.
    pub id: WorkId,
    /// What to do.
    pub work: W,
}

/// A finished run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Delivery {
    /// Which one.
    pub id: WorkId,
    /// What came of it.
    pub record: Record,
}

/// The folder of one batch of jobs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spool {
    folder: PathBuf,
}

const CHUNKS: &str = "chunks";
const RUNNING: &str = "running";
const RESULTS: &str = "results";
const OUTPUT: &str = "output";

impl Spool {
    /// Makes a folder with this name below another.
    pub fn create(below: &Path, name: &str) -> io::Result<Self> {
        let folder = below.join(name);
        for part in [CHUNKS, RUNNING, RESULTS, OUTPUT] {
            fs::create_dir_all(folder.join(part))?;
        }
        // The jobs may start elsewhere. Links stay: what they lead to may have another name on other nodes.
        Ok(Self { folder: std::path::absolute(folder)? })
    }

    /// A folder that is there.
    pub fn open(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// All folders below another, oldest first.
    pub fn all(below: &Path) -> io::Result<Vec<Self>> {
        let mut found = Vec::new();
        if below.is_dir() {
            for entry in fs::read_dir(below)? {
                found.push(Self { folder: entry?.path() });
            }
        }
        found.sort_by(|a, b| a.folder.cmp(&b.folder));
        Ok(found)
    }

    /// The path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name, which is that of the batch.
    pub fn name(&self) -> String {
        self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Where jobs print to.
    pub fn output(&self) -> PathBuf {
        self.folder.join(OUTPUT)
    }

    /// Writes a file in one step.
    pub fn write(&self, name: &str, content: &str) -> io::Result<()> {
        let partial = self.folder.join(format!(".{}", name.replace('/', "-")));
        fs::write(&partial, content)?;
        fs::rename(partial, self.folder.join(name))
    }

    /// Writes the runs of a job.
    pub fn write_chunk<'w>(&self, chunk: ChunkId, orders: impl Iterator<Item = (WorkId, &'w Work)>) -> io::Result<()> {
        let mut text = String::new();
        for (id, work) in orders {
            let _ = writeln!(text, "{}", serde_json::to_string(&Order { id, work })?);
        }
        self.write(&format!("{CHUNKS}/{chunk}.jsonl"), &text)
    }

    /// The runs of a job.
    pub fn chunk(&self, chunk: ChunkId) -> io::Result<Vec<Order>> {
        let path = self.folder.join(format!("{CHUNKS}/{chunk}.jsonl"));
        let text = fs::read_to_string(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read '{}': {error}", path.display())))?;
        text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
    }

    /// Says that a run of a job is under way.
    pub fn announce(&self, chunk: ChunkId, id: WorkId) -> io::Result<()> {
        self.write(&format!("{RUNNING}/{chunk}"), &id.0.to_string())
    }

    /// The run of a job that was begun last.
    pub fn running(&self, chunk: ChunkId) -> Option<WorkId> {
        let text = fs::read_to_string(self.folder.join(format!("{RUNNING}/{chunk}"))).ok()?;
        text.trim().parse().ok().map(WorkId)
    }

    /// Hands over finished runs: the `number`-th time that a job does so.
    pub fn deliver(&self, chunk: ChunkId, number: usize, deliveries: &[Delivery]) -> io::Result<()> {
        let mut text = String::new();
        for delivery in deliveries {
            let _ = writeln!(text, "{}", serde_json::to_string(delivery)?);
        }
        self.write(&format!("{RESULTS}/{chunk}-{number:06}.jsonl"), &text)
    }

    /// Takes what was handed over. It is deleted once `take` has seen all of a file. The number of files is returned.
    pub fn collect(&self, mut take: impl FnMut(Delivery) -> io::Result<()>) -> io::Result<usize> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder.join(RESULTS))? {
            files.push(entry?.path());
        }
        files.sort();
        for path in &files {
            for line in fs::read_to_string(path)?.lines() {
                take(serde_json::from_str(line)?)?;
            }
            fs::remove_file(path)?;
        }
        Ok(files.len())
    }

    /// Deletes what belongs to a job that is done.
    pub fn forget(&self, chunk: ChunkId) {
        let _ = fs::remove_file(self.folder.join(format!("{CHUNKS}/{chunk}.jsonl")));
        let _ = fs::remove_file(self.folder.join(format!("{RUNNING}/{chunk}")));
    }

    /// What jobs printed last, for a message: the last lines of the youngest file that is not empty.
    pub fn last_output(&self) -> Option<String> {
        let entries = fs::read_dir(self.output()).ok()?.flatten();
        let mut files: Vec<_> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?, entry.path())))
            .filter(|(m, _)| m.len() > 0)
            .collect();
        files.sort_by_key(|(meta, path)| (meta.modified().ok(), path.clone()));
        let bytes = fs::read(&files.last()?.1).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<&str> = text.lines().rev().take(5).collect();
        Some(lines.into_iter().rev().collect::<Vec<_>>().join("\n"))
    }

    /// Deletes all.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)?;
        // The folder around it, if nothing else is in it.
        let _ = self.folder.parent().map(fs::remove_dir);
        Ok(())
    }
}
