//! What the figures were measured on, and with.

use crate::process::{self, Limits};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The machine. Its name is nobody's business.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Host {
    /// Model of the processor.
    pub cpu: String,
    /// Number of cores.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Operating system.
    pub os: String,
}

impl Host {
    /// This machine; what cannot be found out stays empty.
    pub fn this() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Self {
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory().unwrap_or(0),
            os: format!("{} {}", std::env::consts::OS, read("/proc/sys/kernel/osrelease").trim()).trim().to_owned(),
        }
    }
}

/// Bytes of memory of this machine, where the system tells.
pub fn memory() -> Option<u64> {
    let kilobytes: u64 = field("/proc/meminfo", "MemTotal")?.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// What a file of the system says after a key and a colon.
fn field(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// What a tool calls itself (`--version`), and a fingerprint of its bytes, which tells two builds apart.
pub fn tool_version(path: &Path) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot run the tool '{}': {error}", path.display());
    let fingerprint = File::open(path).and_then(fingerprint).map_err(cannot)?;
    let limits = Limits { time: Duration::from_secs(10), ..Limits::default() };
    let outcome =
        process::run(Command::new(path).arg("--version"), &limits, &AtomicBool::new(false)).map_err(cannot)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let version = outcome.stdout.lines().next().map(str::trim).filter(|line| !line.is_empty()).unwrap_or(&name);
    Ok(format!("{version} ({:016x})", fingerprint))
}

/// FNV-1a with 64 bits: no defence against malice, and the same in every build. A tool's file may be large, and need not be
/// in memory as a whole.
fn fingerprint(mut file: impl Read) -> io::Result<u64> {
    let mut buffer = vec![0; 64 << 10];
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hash);
        }
        hash = buffer[..count].iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints() {
        // Test vectors of the FNV reference code.
        assert_eq!(fingerprint(&b""[..]).unwrap(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(&b"a"[..]).unwrap(), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn this_machine() {
        assert!(Host::this().cores > 0);
    }
}
