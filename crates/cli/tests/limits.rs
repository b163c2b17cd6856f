//! `docs/limits.md`: what Robusto does not see, and what it says instead. Each line of its tables is tried.

mod support;

use support::Folder;

const HEAD: &str = "void reach_error(void);\n";

/// A program, options, and what the page and the output have in common.
const SAID: [(&str, &[&str], &str); 24] = [
    (
        "char *setlocale(int, const char *); int main(void) { if (setlocale(6, \"\")) reach_error(); return 0; }",
        &[],
        "the locale stays \"C\"",
    ),
    (
        "char *gettext(const char *); int main(void) { if (*gettext(\"a\")) reach_error(); return 0; }",
        &[],
        "messages are not translated",
    ),
    (
        "#include <sys/mman.h>\nint main(void) { if (mmap(0, 1, PROT_READ, MAP_SHARED, 3, 0) == MAP_FAILED) reach_error(); return 0; }",
        &[],
        "bytes of a file that is mapped change only where the program writes to the mapping",
    ),
    (
        "int main(void) { int *p = (int *)0xdead000000000100; *p = 1; if (*p == 2) reach_error(); return 0; }",
        &[],
        "unsupported: access to memory at an address that is a number of the program",
    ),
    (
        "int main(void) { *(volatile unsigned *)0x40000000 = 1; if (*(volatile unsigned *)0x40000000 == 2) reach_error(); return 0; }",
        &[],
        "reading something volatile at a fixed address gives any value, and writing it changes nothing but memory at fixed addresses",
    ),
    (
        "#include <pthread.h>\nint g; void *f(void *a) { g = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (g) reach_error(); return 0; }",
        &[],
        "unsupported: call of `pthread_create`",
    ),
    (
        "#include <unistd.h>\nint main(void) { if (fork() == 0) reach_error(); return 0; }",
        &[],
        "unsupported: call of `fork`",
    ),
    (
        "#include <signal.h>\nvolatile int g; void h(int s) { g = 1; }
        int main(void) { signal(SIGINT, h); if (g) reach_error(); return 0; }",
        &[],
        "unsupported: call of `signal` with a handler, which may run at any time",
    ),
    (
        "#include <setjmp.h>\njmp_buf j; int main(void) { if (setjmp(j)) reach_error(); longjmp(j, 1); }",
        &[],
        "unsupported: call of `_setjmp`",
    ),
    (
        "#include <dlfcn.h>\nint main(void) { void (*f)(void) = dlsym(dlopen(\"x\", 1), \"f\"); f(); return 0; }",
        &[],
        "unsupported: call of `dlsym`",
    ),
    (
        "#include <fenv.h>\nint main(void) { fenv_t all; fegetenv(&all); reach_error(); return 0; }",
        &[],
        "unsupported: call of `fegetenv`",
    ),
    (
        "int main(void) { _Float128 x = (_Float128)1 / 3; if (x * 3 != 1) reach_error(); return 0; }",
        &[],
        "unsupported: a decision by the precision of `_Float128`",
    ),
    (
        "extern int n;\nint main(void) { struct { int a[n]; int b : 3; } s; s.b = 1; reach_error(); return 0; }",
        &[],
        "unsupported: a bit-field behind an array of variable size",
    ),
    (
        "int f(int *p); int main(void) { int x = 0; if (f(&x)) reach_error(); return 0; }",
        &["--extern", "unknown"],
        "unsupported: external function `f` (--extern unknown)",
    ),
    (
        "#include <math.h>\nint main(void) { if (sin(1.0) > 0.9) reach_error(); return 0; }",
        &[],
        "imprecise: the result of a library function",
    ),
    (
        "int x; int main(void) { __asm__ volatile(\"rep stosb\" : : \"D\"(&x), \"a\"(1), \"c\"(4) : \"memory\"); if (x) reach_error(); return 0; }",
        &[],
        "unsupported: inline assembly that may change memory",
    ),
    ("int f(void) { reach_error(); return 0; }", &[], "the program has no `main`"),
    (
        "int main(void) { int x; __asm__ volatile(\"rdtsc\" : \"=a\"(x) : : \"edx\"); if (x == 2) reach_error(); return 0; }",
        &[],
        "inline assembly may change its outputs and nothing else",
    ),
    (
        "volatile int status; int main(void) { status = 0; while (!status) ; reach_error(); return 0; }",
        &[],
        "what is volatile changes only when the program writes it",
    ),
    (
        "int a; int main(void) { if ((unsigned long)&a % 64 == 0) reach_error(); return 0; }",
        &[],
        "objects lie at the addresses that Robusto gives them",
    ),
    (
        "int a, b; int main(void) { if (&a < &b) reach_error(); return 0; }",
        &[],
        "objects lie in the order in which Robusto places them",
    ),
    (
        "int f(int *p); int main(void) { int x = 0; if (f(&x) && x) reach_error(); return 0; }",
        &[],
        "external function `f` returns any value and changes at most what its arguments reach",
    ),
    (
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (!p) reach_error(); return 0; }",
        &["--malloc", "never-fails"],
        "memory allocation does not fail",
    ),
    (
        "int main(void) { _Float128 x = (_Float128)1 / 3; if (x * 3 != 1) reach_error(); return 0; }",
        &[],
        "`_Float128` is computed with the precision of `double`",
    ),
];

/// A program, options, and the exit code: what holds without a word.
const SILENT: [(&str, &[&str], i32); 8] = [
    ("int main(void) { for (;;) ; }", &[], 0),
    ("#include <time.h>\nint main(void) { time_t a = time(0); if (time(0) < a) reach_error(); return 0; }", &[], 10),
    (
        "int f(int n) { char b[100000]; b[0] = n; return n ? f(n - 1) + b[0] : 0; } int main(void) { f(100000); return 0; }",
        &[],
        0,
    ),
    (
        "#include <stdio.h>\nint main(void) { int x; if (scanf(\"%d\", &x) == 1 && x == 42) reach_error(); return 0; }",
        &[],
        10,
    ),
    ("#include <stdlib.h>\nint main(void) { if (getenv(\"X\")) reach_error(); return 0; }", &[], 10),
    (
        "#include <stdatomic.h>\natomic_int g; int main(void) { atomic_fetch_add(&g, 1); if (g != 1) reach_error(); return 0; }",
        &[],
        0,
    ),
    ("int main(void) { int x; if (x == 5) reach_error(); return 0; }", &[], 10),
    (
        "volatile int status; int main(void) { status = 0; while (!status) ; reach_error(); return 0; }",
        &["--volatile", "havoc"],
        10,
    ),
];

#[test]
fn what_is_said() {
    let folder = Folder::new("limits_said");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md")).expect("the page");
    for (text, options, said) in SAID {
        assert!(page.contains(said), "docs/limits.md does not say {said}");
        folder.write("a.c", format!("{HEAD}{text}"));
        let args = [&["check", "--property", "unreach-call", "--timeout", "20s", "a.c"], options].concat();
        let outcome = folder.run(&args);
        assert!(outcome.stdout.contains(said) || outcome.stderr.contains(said), "{said}: {outcome:?}");
        let unknown = ["unsupported", "imprecise", "the program has no"].iter().any(|word| said.starts_with(word));
        assert!(!unknown || outcome.code != Some(0) && outcome.code != Some(10), "{outcome:?}");
    }
}

#[test]
fn what_goes_without_saying() {
    let folder = Folder::new("limits_silent");
    for (text, options, code) in SILENT {
        folder.write("a.c", format!("{HEAD}{text}"));
        folder
            .run(&[&["check", "--property", "unreach-call", "--timeout", "20s", "a.c"], options].concat())
            .expect(code);
    }
    folder.write("a.c", "class A { public: int x; };\nint main() { return 0; }\n");
    folder.run(&["check", "a.c"]).expect(2);
}

/// A step that is not supported counts only where it can be reached.
#[test]
fn what_is_not_reached_does_not_matter() {
    let folder = Folder::new("limits_reached");
    folder.write(
        "a.c",
        format!("{HEAD}#include <unistd.h>\nint main(void) {{ int x = 1; if (x == 2) fork(); return 0; }}"),
    );
    folder.run(&["check", "--property", "unreach-call", "a.c"]).expect(0);
}
