//! `robusto check --witness` and `robusto witness check` as a user meets them.

mod support;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use support::ENDLESS;

/// A program in a folder of its own, and a place for its witness.
fn files(name: &str, text: &str) -> (PathBuf, PathBuf) {
    let folder = std::env::temp_dir().join(format!("robusto-witness-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let program = folder.join("program.c");
    std::fs::write(&program, text).expect("a file for tests");
    (program, folder.join("witness.yml"))
}

fn robusto(args: &[&str], files: &[&PathBuf]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robusto"));
    let Output { stdout, status, .. } = command.args(args).args(files).output().expect("robusto runs");
    (String::from_utf8_lossy(&stdout).into_owned(), status.code())
}

#[test]
fn own_witnesses_are_accepted() {
    let counter = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0;
    while (1) {
        if (x != y) reach_error();
        if (__VERIFIER_nondet_int()) { x++; y++; }
    }
}";
    let cases =
        [("true", counter.to_owned(), Some(0)), ("false", counter.replace("x++; y++;", "x++; y += 2;"), Some(10))];
    for (name, text, expected) in cases {
        let (program, witness) = files(name, &text);
        let path = witness.to_str().expect("a plain name");
        assert_eq!(robusto(&["check", "--timeout", "60s", "--witness", path], &[&program]).1, expected, "{text}");
        let (out, code) = robusto(&["witness", "check", "--timeout", "60s"], &[&program, &witness]);
        assert_eq!((&*out, code), ("WITNESS: accepted\n", Some(0)), "{text}");
        let written = std::fs::read_to_string(&witness).expect("there is a witness");
        assert!(name == "false" || written.contains("type: loop_invariant"), "{written}");
    }
}

#[test]
fn the_time_limit_holds() {
    let (program, witness) =
        files("limit", &format!("#ifdef HARD\n{ENDLESS}\n#else\nint main() {{ return 0; }}\n#endif\n"));
    let path = witness.to_str().expect("a plain name");
    assert_eq!(robusto(&["check", "--witness", path], &[&program]).1, Some(0));
    let start = Instant::now();
    let (out, code) = robusto(&["witness", "check", "--timeout", "1s", "-D", "HARD"], &[&program, &witness]);
    assert_eq!((&*out, code), ("WITNESS: unknown(timeout)\n", Some(5)));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
