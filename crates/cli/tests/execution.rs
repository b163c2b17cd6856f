//! Programs that print what they compute: the interpreter prints what the program prints that the C compiler makes of them.
//!
//! Skipped, with a message, where there is no C compiler for x86.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Folder, has_compiler};

fn compare(name: &str) {
    if !cfg!(target_arch = "x86_64") || !has_compiler() {
        println!("skipped: no C compiler for x86");
        return;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/execution").join(name);
    let folder = Folder::new(&format!("execution-{name}"));
    folder.write(name, fs::read(source).expect("the program"));
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-o"]).args([folder.path("program"), folder.path(name)]).arg("-lm");
    let built = compiler.output().expect("the compiler starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let real = Command::new(folder.path("program")).output().expect("the program runs");
    let ours = folder.run(&["run", name]).expect(0);
    let real = String::from_utf8(real.stdout).expect("text");
    assert!(real.lines().count() > 1000, "the program prints little");
    for (number, (ours, real)) in ours.stdout.lines().zip(real.lines()).enumerate() {
        assert_eq!(ours, real, "line {}", number + 1);
    }
    assert_eq!(ours.stdout.lines().count(), real.lines().count());
}

#[test]
fn long_double() {
    compare("long_double.c");
}

#[test]
fn rounding_modes() {
    compare("rounding.c");
}

#[test]
fn structs_of_variable_size() {
    compare("variable_structs.c");
}
