//! `robusto model`: what is exported, executed by a script that shares nothing with Robusto, does what the model does; and a
//! counterexample comes back to the program.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use support::Folder;

const FORMATS: [&str; 5] = ["aiger", "aag", "btor2", "smv", "blif-mv"];

const PROGRAMS: [(&str, &str); 6] = [
    (
        "arithmetic",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) {
            long long wide = 1; int t = 0; signed char c = 1;
            for (;;) {
                int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int() - 3; unsigned u = a;
                if (b == 0 || b == -1) continue;
                int q = a / b, r = a % b, s = a >> (b & 31); unsigned v = u / (unsigned)b, w = u >> (b & 31);
                t = t * 3 ^ q ^ r ^ s ^ v ^ w ^ (int)(u << (b & 31)) ^ (int)(u % 7); wide = wide * b - c; c = c * 3 + r;
                if (t == 12345 && wide > c) reach_error();
            }
        }",
    ),
    (
        "arrays",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int table[4] = { 3, 1, 2, 5 };
        int main(void) {
            int x, local[3]; int *p = &table[1];
            for (int i = 0; i < 5; i++) {
                local[i % 3] += x; *p = local[i & 1]; p = __VERIFIER_nondet_int() ? &table[i & 3] : &local[2];
            }
            if (table[2] == 5) reach_error();
        }",
    ),
    (
        "recursion",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int f(int n) { int r = n <= 0 ? 1 : f(n - 1) + f(n - 2); return r; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (f(n & 3) == 2) reach_error(); }",
    ),
    (
        "heap",
        "typedef unsigned long size_t; extern void *malloc(size_t); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        struct n { short v; struct n *next; };
        int main(void) {
            struct n *l = 0; int sum = 0;
            while (__VERIFIER_nondet_int() != 1) { struct n *m = malloc(sizeof *m); m->v = __VERIFIER_nondet_int(); m->next = l; l = m; }
            for (; l; l = l->next) sum += l->v;
            if (sum == 4) reach_error();
        }",
    ),
    (
        "functions",
        "extern double __VERIFIER_nondet_double(void); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int up(int x) { return x + 1; } int down(int x) { return x - 1; }
        int main(void) {
            int (*f)(int) = up; int x = 0; double d = __VERIFIER_nondet_double();
            while (x > -3 && x < 3) { f = __VERIFIER_nondet_int() & 1 ? up : down; x = f(x); if (d * x > 2.5) x = 0; }
            if (x < 0) reach_error();
        }",
    ),
    ("nothing", "int main(void) { return 0; }"),
];

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found
}

fn check(name: &str, text: &str) {
    if !has_python() {
        return;
    }
    let folder = Folder::new(&format!("model-{name}"));
    folder.write("p.c", text);
    let model = |options: &[&str]| {
        folder.run(&[&["model", "p.c", "--heap", "64B", "--recursion", "2"], options].concat()).expect(0);
    };
    let mut traces = Vec::new();
    for seed in ["1", "2", "3", "4"] {
        let trace = format!("{seed}.trace");
        model(&["--simulate", seed, "--steps", "12", "-o", &trace]);
        traces.push(trace);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/model-simulate");
    for format in FORMATS {
        let file = format!("p.{format}");
        model(&["--export", format, "-o", &file]);
        // Tables are slow, and text is the same circuit again.
        let count = if matches!(format, "aag" | "blif-mv") { 1 } else { traces.len() };
        let mut command = Command::new("python3");
        let output = command.arg(&script).arg(&file).args(&traces[..count]).current_dir(folder.path("")).output();
        let output = output.expect("python3 is there");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success() && said.contains(&format!("{count} executions")), "{name}, {format}: {said}");
    }
}

#[test]
fn arithmetic_is_exported_as_it_is() {
    check(PROGRAMS[0].0, PROGRAMS[0].1);
}

#[test]
fn arrays_are_exported_as_they_are() {
    check(PROGRAMS[1].0, PROGRAMS[1].1);
}

#[test]
fn recursion_and_its_bound_are_exported_as_they_are() {
    check(PROGRAMS[2].0, PROGRAMS[2].1);
}

#[test]
fn the_heap_and_its_bound_are_exported_as_they_are() {
    check(PROGRAMS[3].0, PROGRAMS[3].1);
}

#[test]
fn functions_that_are_not_interpreted_are_exported_as_inputs() {
    check(PROGRAMS[4].0, PROGRAMS[4].1);
}

#[test]
fn a_program_that_does_nothing_is_exported() {
    check(PROGRAMS[5].0, PROGRAMS[5].1);
}

/// Bits of the values in a line of a trace, in the order of the latches or inputs of the AIGER form.
fn bits(line: &str, widths: &[(String, usize)]) -> String {
    let value = |name: &str| -> u128 {
        let mut words = line.split(' ').filter_map(|word| word.split_once('='));
        words.find(|(own, _)| *own == name).and_then(|(_, value)| value.parse().ok()).expect("the trace has it")
    };
    let of = |(name, width): &(String, usize)| -> String {
        (0..*width).map(|bit| if value(name) >> bit & 1 == 1 { '1' } else { '0' }).collect()
    };
    widths.iter().map(of).collect()
}

/// Names and widths of the words that the symbols of a kind (`i`, `l`) belong to.
fn widths(aag: &str, kind: char) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> = Vec::new();
    for line in aag.lines().take_while(|line| *line != "c") {
        let Some((symbol, name)) = line.split_once(' ').filter(|(symbol, _)| symbol.starts_with(kind)) else {
            continue;
        };
        assert!(symbol[1..].parse::<usize>().is_ok());
        let word = name.split_once('[').expect("a bit of a word").0;
        match all.last_mut() {
            Some((last, width)) if last == word => *width += 1,
            _ => all.push((word.to_owned(), 1)),
        }
    }
    all
}

#[test]
fn a_counterexample_comes_back() {
    let folder = Folder::new("model-counterexample");
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) {
            int x, a[2], y = __VERIFIER_nondet_int();
            if ((x & 3) == 2 && (y & 3) == 1 && (a[y & 1] & 1) == 1) reach_error();
        }";
    folder.write("p.c", text);
    let aag = folder.run(&["model", "--export", "aag", "p.c"]).expect(0).stdout;
    let (latches, inputs) = (widths(&aag, 'l'), widths(&aag, 'i'));
    let violating =
        (0..500).map(|seed| folder.run(&["model", "--simulate", &seed.to_string(), "p.c"]).expect(0).stdout);
    let trace =
        violating.into_iter().find(|trace| trace.contains("end: violation_reach_error_4")).expect("a seed does it");
    let mut witness = format!("1\nb0\n{}\n", bits(trace.lines().next().expect("a state"), &latches));
    for line in trace.lines().filter(|line| line.starts_with("input")) {
        witness += &format!("{}\n", bits(line, &inputs));
    }
    folder.write("right.cex", format!("{witness}.\n"));
    folder
        .run(&["model", "--simulate", "right.cex", "p.c"])
        .expect(10)
        .prints("replay: the interpreter reaches reach_error at 4:");
    // As abc writes it.
    let bare: Vec<&str> = witness.lines().skip(2).collect();
    folder.write("abc.cex", format!("{}# DONE\n", bare.join("\n")));
    folder.run(&["model", "--simulate", "abc.cex", "p.c"]).expect(10).prints("replay: the interpreter reaches");
    // With zeros it is no counterexample.
    let zeros: Vec<String> = witness.lines().skip(2).map(|line| "0".repeat(line.len())).collect();
    folder.write("wrong.cex", format!("1\nb0\n{}\n.\n", zeros.join("\n")));
    folder.run(&["model", "--simulate", "wrong.cex", "p.c"]).expect(5).prints("ends at no violation");
    folder.write("short.cex", "1\nb0\n0101\n.\n");
    folder
        .run(&["model", "--simulate", "short.cex", "p.c"])
        .expect(1)
        .says("is this the counterexample of another model?");
    folder.write("none.cex", "2\n");
    folder.run(&["model", "--simulate", "none.cex", "p.c"]).expect(1).says("no counterexample");
    folder.run(&["model", "--simulate", "absent.cex", "p.c"]).expect(1).says("cannot read");
}

/// Without inputs, a step of a witness is an empty line.
#[test]
fn a_counterexample_without_inputs_comes_back() {
    let folder = Folder::new("model-no-inputs");
    folder.write("p.c", "extern void reach_error(void); int x; int main(void) { while (x < 5) x++; reach_error(); }");
    let aag = folder.run(&["model", "--export", "aag", "p.c"]).expect(0).stdout;
    let start: String = widths(&aag, 'l').iter().map(|(_, width)| "0".repeat(*width)).collect();
    folder.write("long.cex", format!("1\nb0\n{start}\n{}.\n", "\n".repeat(20)));
    folder.run(&["model", "--simulate", "long.cex", "p.c"]).expect(10).prints("replay: the interpreter reaches");
    folder.write("short.cex", format!("1\nb0\n{start}\n\n.\n"));
    folder.run(&["model", "--simulate", "short.cex", "p.c"]).expect(5).prints("ends at no violation");
}

#[test]
fn figures_tell_what_is_bounded_and_assumed() {
    let folder = Folder::new("model-figures");
    folder.write("heap.c", PROGRAMS[3].1).write("recursion.c", PROGRAMS[2].1).write("floats.c", PROGRAMS[4].1);
    let heap = folder.run(&["model", "--malloc", "never-fails", "heap.c"]).expect(0);
    heap.prints("bounded     allocation: a heap of 256 bytes")
        .prints("memory allocation does not fail")
        .prints("full width");
    folder.run(&["model", "--stats", "--recursion", "2", "recursion.c"]).expect(0).prints("recursion: 2 activations");
    folder.run(&["model", "--stats", "--export", "smv", "heap.c"]).expect(1);
    folder.write("none.c", "int f(void) { return 0; }");
    let none = folder.run(&["model", "none.c"]);
    assert!(none.code == Some(5) && none.stderr.contains("no model"), "{none:?}");
}
