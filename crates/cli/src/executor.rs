//! Where runs take place: on this machine, or on a cluster.

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use robusto_bench::executor::Executor;
use robusto_bench::executor::cluster::{self, Cluster, Settings};
use robusto_bench::executor::local::Local;
use robusto_bench::executor::slurm::Slurm;
use robusto_bench::record::Record;
use robusto_bench::units::parse_duration;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The heading in the help.
pub const HEADING: &str = "Clusters";

/// Arguments that choose an executor.
#[derive(Args, Debug)]
#[command(next_help_heading = HEADING)]
pub struct ExecutorArgs {
    /// Where the runs take place; on a cluster, the program, the tasks and the folder of the results must be on a file system that
    /// all nodes share
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub executor: ExecutorArg,

    /// slurm: the partition to submit to
    #[arg(long, value_name = "NAME")]
    slurm_partition: Option<String>,

    /// slurm: the account to charge
    #[arg(long, value_name = "NAME")]
    slurm_account: Option<String>,

    /// slurm: another option of sbatch, such as --slurm-option=--qos=long; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    slurm_option: Vec<String>,

    /// How often the cluster is asked for its queue
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "5s", hide = true)]
    slurm_poll: Duration,
}

/// An executor by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ExecutorArg {
    /// Processes of this machine
    #[default]
    Local,
    /// Jobs of a Slurm cluster
    Slurm,
}

impl ExecutorArgs {
    /// Complains about options of another executor.
    pub fn validate(&self) -> Result<()> {
        let of_slurm = self.slurm_partition.is_some() || self.slurm_account.is_some() || !self.slurm_option.is_empty();
        if of_slurm && !self.is_cluster() {
            bail!("--slurm-partition, --slurm-account and --slurm-option are for clusters: --executor slurm");
        }
        Ok(())
    }

    /// Whether the runs take place elsewhere.
    pub fn is_cluster(&self) -> bool {
        self.executor != ExecutorArg::Local
    }

    /// The executor's name.
    pub fn name(&self) -> String {
        match self.executor {
            ExecutorArg::Local => "local".to_owned(),
            ExecutorArg::Slurm => "slurm".to_owned(),
        }
    }

    /// Number of runs at a time, unless the cluster decides.
    pub fn parallel(&self, jobs: Option<u16>) -> Option<usize> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        jobs.map(usize::from).or_else(|| (!self.is_cluster()).then(cores))
    }

    /// The executor, with the folder of the results, and the number of runs at a time and per job.
    pub fn build(
        &self,
        folder: &Path,
        parallel: Option<usize>,
        runs_per_job: Option<u32>,
    ) -> Result<Box<dyn Executor>> {
        Ok(match self.executor {
            ExecutorArg::Local => Box::new(Local { jobs: parallel.unwrap_or(1) }),
            ExecutorArg::Slurm => Box::new(self.cluster(folder, parallel, runs_per_job)?),
        })
    }

    /// Ends the jobs of an earlier call that was killed, and takes their results.
    pub fn recover(&self, folder: &Path, take: impl FnMut(Record) -> io::Result<()>) -> Result<()> {
        if cluster::folder(folder).exists() {
            self.cluster(folder, None, None)?.recover(take).context("cannot end the jobs of an earlier call")?;
        }
        Ok(())
    }

    fn cluster(&self, folder: &Path, parallel: Option<usize>, runs_per_job: Option<u32>) -> Result<Cluster<Slurm>> {
        let program = std::env::current_exe().context("cannot find this program's file")?;
        let named = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("--{name}={value}"));
        let own = [named("partition", &self.slurm_partition), named("account", &self.slurm_account)];
        let options = own.into_iter().flatten().chain(self.slurm_option.iter().cloned()).collect();
        let settings = Settings {
            folder: cluster::folder(folder),
            per_job: runs_per_job.map(|runs| runs as usize),
            one_submission: parallel.is_some(),
            ask: self.slurm_poll,
        };
        Ok(Cluster::new(Slurm::new(program, options, parallel), settings))
    }
}
