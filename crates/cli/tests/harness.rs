//! `--harness`: a real compiler's program reaches the error.

mod support;

use std::process::Command;
use support::Folder;

/// Compiles and runs the program by the command that the harness names; exit code and what it says.
fn execute(folder: &Folder) -> Option<(Option<i32>, String)> {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return None;
    }
    let harness = std::fs::read_to_string(folder.path("harness.c")).expect("there is a harness");
    let command = harness.lines().find_map(|line| line.strip_prefix("     cc ")).expect("it names a command");
    let command = format!("gcc {}", command.replace("HARNESS.c", "harness.c"));
    let run = Command::new("sh").args(["-c", &command]).current_dir(folder.path("")).output().expect("a shell");
    assert!(folder.path("violation").exists(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    std::fs::remove_file(folder.path("violation")).expect("it is there");
    Some((run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned()))
}

const PROGRAMS: [(&str, &str, &str); 20] = [
    (
        "turn.c",
        "unreach-call",
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern void reach_error(void); extern void __VERIFIER_assume(int);
        int main() { int sum = 0; for (int i = 0; i < 5; i++) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2 && x < 9);
          sum += x; if (__VERIFIER_nondet_uchar() == 200) sum -= 1; } if (sum == 33) reach_error(); return 0; }",
    ),
    (
        "own.c",
        "unreach-call",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);
        extern long __VERIFIER_nondet_long(void);
        void reach_error(void) { __assert_fail(\"0\", \"own.c\", 3, \"reach_error\"); }
        int main() { long x = __VERIFIER_nondet_long(); if (x == -5000000000) { reach_error(); } return 0; }",
    ),
    (
        "assert.c",
        "assert",
        "#include <assert.h>
        extern short __VERIFIER_nondet_short(void);
        int main() { short x = __VERIFIER_nondet_short(); assert(x != -7); return 0; }",
    ),
    (
        "external.c",
        "unreach-call",
        "extern int sensor(void); extern void reach_error(void);
        int main() { if (sensor() == 3 && sensor() == 4) reach_error(); return 0; }",
    ),
    (
        "overflow.c",
        "no-overflow",
        "extern int __VERIFIER_nondet_int(void);
        int main() { int x = __VERIFIER_nondet_int(); if (x > 1000) x = x + 2000; return x; }",
    ),
    (
        "zero.c",
        "div-by-zero",
        "extern int __VERIFIER_nondet_int(void);
        int main() { int x = __VERIFIER_nondet_int(); return 100 / (x - 17); }",
    ),
    (
        "heap.c",
        "unreach-call",
        "extern void reach_error(void); void *malloc(unsigned long);
        struct s { int a; char b[3]; struct s *next; };
        int main() { struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); if (p->a == 3 && q->b[1] == 'x') reach_error(); return 0; }",
    ),
    (
        "locals.c",
        "unreach-call",
        "extern void reach_error(void); int use(int *a) { return a[2] == 0; }
        int main() { int a[5], x; if (use(a) && x == 0) reach_error(); return 0; }",
    ),
    (
        "pattern.c",
        "unreach-call",
        "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
        int main() { unsigned a[5]; unsigned i = __VERIFIER_nondet_uint() % 5; if (a[i] != 0) reach_error(); return 0; }",
    ),
    (
        "missing.c",
        "unreach-call",
        "extern void reach_error(void); extern int absent(int); extern struct { int x; } object; extern int other[];
        typedef unsigned long sector_t; extern sector_t __VERIFIER_nondet_sector_t(void);
        extern long random_r(int); int (*table[])(int) = { absent, 0 };
        int main(int argc, char **argv) { if (__VERIFIER_nondet_sector_t() == 5) { if (random_r(3) == 7) reach_error();
          return object.x + other[2]; } return table[argc](1); }",
    ),
    (
        "types.c",
        "unreach-call",
        "extern void reach_error(void); extern double ratio(int); extern float half(float, float); extern void *find(int);
        int main() { void *p = find(2); if (ratio(3) > 0.5 && half(1, 2) < 0.25f && p) reach_error(); return 0; }",
    ),
    (
        "long_double.c",
        "unreach-call",
        "extern void reach_error(void); extern long double __VERIFIER_nondet_long_double(void), given(void);
        int main() { long double x = __VERIFIER_nondet_long_double(), y = given();
          if (x > 1 && x < 2 && x + 1 == 2 && y == 1.1L) reach_error(); return 0; }",
    ),
    (
        "arguments.c",
        "valid-deref",
        "#include <string.h>
        int main(int argc, char **argv) { char to[16]; if (argc != 3 || argv[2][0] != '-' || argv[2][1] != 'x') return 1;
          strcpy(to, argv[1]); return to[0]; }",
    ),
    (
        "nothing.c",
        "valid-deref",
        "#include <stdlib.h>
        int main(void) { char *p = malloc(4), *q = malloc(0); if (p[1] == 3) q[0] = 5; return 0; }",
    ),
    (
        "no_rows.c",
        "valid-deref",
        "#include <stdlib.h>
        extern unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { size_t n = __VERIFIER_nondet_uchar(); char *p = calloc(n, 8); return p[n * 8]; }",
    ),
    (
        "grown.c",
        "unreach-call",
        "#include <stdlib.h>
        extern void reach_error(void);
        int main(void) { char *p = malloc(2); p[0] = 1; p[1] = 2; p = realloc(p, 8);
          if (p[0] == 1 && p[1] == 2 && p[5] == 77) reach_error(); return 0; }",
    ),
    (
        "new.c",
        "unreach-call",
        "#include <stdlib.h>
        extern void reach_error(void);
        int main(void) { char *p = realloc(0, 8); if (p[5] == 77) reach_error(); return 0; }",
    ),
    (
        "aligned.c",
        "unreach-call",
        "#include <stdlib.h>
        extern void reach_error(void);
        int main(void) { void *a = 0; posix_memalign(&a, 16, 16); char *p = malloc(5), *q = aligned_alloc(16, 16);
          if (((char *)a)[3] == 5 && p[4] == 77 && q[5] == 8) reach_error(); return 0; }",
    ),
    (
        "kept.c",
        "memcleanup",
        "#include <stdlib.h>
        char *kept;
        int main(void) { kept = malloc(4); kept = realloc(kept, 5); free(malloc(3)); return 0; }",
    ),
    (
        "shift.c",
        "bad-shift",
        "extern int __VERIFIER_nondet_int(void);
        int main() { int n = __VERIFIER_nondet_int(); return n < 0 ? 0 : 1 << n; }",
    ),
];

#[test]
fn the_error_is_reached_for_real() {
    let folder = Folder::new("harness");
    for (name, property, text) in PROGRAMS {
        folder.write(name, text);
        folder.run(&["check", "--property", property, "--harness", "harness.c", name]).expect(10);
        let sanitized = matches!(property, "no-overflow" | "div-by-zero" | "bad-shift" | "valid-deref");
        let Some((code, said)) = execute(&folder) else { return };
        if sanitized {
            let found = said.contains("runtime error") || said.contains("AddressSanitizer");
            assert!(code != Some(0) && found, "{name}: {code:?} {said}");
        } else {
            assert_eq!(code, Some(10), "{name}: {said}");
            assert!(said.contains("robusto: "), "{name}: {said}");
        }
    }
}

#[test]
fn no_violation_no_harness() {
    let folder = Folder::new("harness-none");
    folder.write("a.c", "int main() { return 0; }");
    folder.run(&["check", "--property", "unreach-call", "--harness", "h.c", "a.c"]).expect(0).says("no harness");
    assert!(!folder.path("h.c").exists());
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new("harness-dash");
    let (name, property, text) = PROGRAMS[0];
    folder.write(name, text);
    let ends = format!("RESULT: false({property})\n");
    for (option, code, line) in [("--harness", 10, "int __VERIFIER_nondet_int"), ("--witness", 10, "entry_type")] {
        let outcome = folder.run(&["check", "--property", property, option, "-", name]).expect(code).prints(line);
        assert!(outcome.stdout.ends_with(&ends), "the report comes last: {}", outcome.stdout);
        assert!(!folder.path("-").exists());
    }
}
