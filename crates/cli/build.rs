//! Tells the program its version, with the commit that it is built from where that is known.

use std::path::Path;
use std::process::Command;

fn main() {
    // The log has a line more after each commit and each change of branch. Where there is none, it is no clone.
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git/logs/HEAD");
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ROBUSTO_COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = std::env::var("ROBUSTO_COMMIT").ok().or_else(|| log.exists().then(commit).flatten());
    match commit.filter(|commit| !commit.is_empty()) {
        Some(commit) => println!("cargo::rustc-env=ROBUSTO_VERSION={version} ({commit})"),
        None => println!("cargo::rustc-env=ROBUSTO_VERSION={version}"),
    }
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "--short=10", "HEAD"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
