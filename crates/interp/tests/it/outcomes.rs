//! How executions end: errors, limits, and undefined behaviour with its description.

use crate::support::{compile, execute, execute_with};
use robusto_cfa::ir::DataModel;
use robusto_interp::inputs::{self, Listed, Seeded, Zeros};
use robusto_interp::{Code, Config, InvalidPolicy, Machine, Streams, Trace};

const DECLARATIONS: &str = "
typedef typeof(sizeof 0) size_t;
int printf(const char *, ...);
void *malloc(size_t); void free(void *); void abort(void); void exit(int);
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); double __VERIFIER_nondet_double(void);
void reach_error(void); void __VERIFIER_assume(int);
";

/// Executes statements as the body of `main`, which starts on line 8.
fn run(body: &str) -> String {
    run_with(body, Config::default())
}

fn run_with(body: &str, config: Config<'_>) -> String {
    let text = format!("{DECLARATIONS}\nint main(void) {{\n{body}\n}}\n");
    execute_with("t.c", &text, DataModel::Lp64, &mut Zeros, config).description
}

#[track_caller]
fn check(body: &str, expected: &str) {
    let description = run(body);
    assert!(description.contains(expected), "expected {expected:?} in {description:?}");
}

#[test]
fn endings() {
    check("return 3;", "exited with status 3");
    check("exit(300);", "exited with status 300");
    check("abort();", "t.c:9:1: aborted");
    check("reach_error();", "t.c:9:1: error reached");
    check("__VERIFIER_assume(0);", "blocked");
    check("if (__VERIFIER_nondet_int() == 0) reach_error();", "error reached");
}

#[test]
fn out_of_bounds() {
    check("int a[4]; int i = 4; return a[i];", "read of 4 bytes at `a` +16, out of bounds: it has 16 bytes");
    check("int a[4]; volatile int i = -1; a[i] = 1;", "write of 4 bytes at `a` -4, out of bounds");
    check("char *p = malloc(10); p[10] = 1;", "write of 1 byte at the heap block allocated at t.c:9");
    check("char *p = malloc(100000); p[100000] = 1;", "write of 1 byte");
    check("int n = 3; int v[n]; v[n] = 1;", "at the stack block allocated at t.c:9");
    check("char b[4]; char *p = b; __builtin_memset(p, 0, 5);", "write of 5 bytes at `b` +0, out of bounds");
    check("short s = 1; return *(int *)&s;", "read of 4 bytes at `s` +0, out of bounds: it has 2 bytes");
}

#[test]
fn null_and_wild() {
    check("int *p = 0; return *p;", "t.c:9:13: undefined behaviour: read of 4 bytes through a null pointer");
    check("struct { int a, b; } *p = 0; p->b = 1;", "write of 4 bytes through a null pointer plus 4");
    check("int *p = (int *)0x123456; *p = 1;", "write of 4 bytes at 0x123456, where no object is");
    check("int (*p)(void) = 0; p();", "call of null, which is not a function");
    check("int x; ((int (*)(void))&x)();", "call of &x, which is not a function");
    check("int *p = (int *)main; return *p;", "where a function is");
    check("((int (*)(int, int))main)(1, 2);", "call of `main` with arguments that do not match");
}

#[test]
fn dead_objects() {
    check("int *p = malloc(4); free(p); return *p;", "whose life has ended");
    check("int *p = malloc(4); free(p); free(p);", "free of the heap block");
    check("char *p = malloc(1 << 20); free(p); p[5] = 1;", "whose life has ended");
    check("int x; free(&x);", "free of `x` +0, which is not the start of an allocated block");
    check("char *p = malloc(8); free(p + 4);", "not the start of an allocated block");
    check("*\"constant\" = 1;", "which is constant");
    check("free(0);", "exited with status 0");
    let callee = "int *f(void) { int x = 1; int *p = &x; return p; }";
    let text = format!("{callee}\nint main(void) {{ int *p = f(); return *p; }}\n");
    let run = execute("t.c", &text, DataModel::Lp64, &mut Zeros);
    assert!(run.description.contains("where no object is"), "{}", run.description);
}

#[test]
fn printf_misuse() {
    check("printf(\"%d %d\", 1);", "printf: more conversions than arguments");
    check("printf(\"%d\", 1.5);", "conversion `%d` of an argument of type f64");
    check("int n; printf(\"%n\", &n);", "not supported: `%n` in a format of `printf`");
    check("printf(\"%s\", (char *)1);", "null pointer");
    check("char b[2] = {1, 1}; printf(\"%s\", b);", "has no terminating zero byte");
    check("char b[2] = {1, 1}; return printf(\"%.2s\", b);", "exited with status 2");
}

#[test]
fn limits() {
    let steps = |max_steps| Config { max_steps: Some(max_steps), max_memory: 64 << 20, ..Config::default() };
    assert_eq!(run_with("for (;;) ;", steps(1000)), "step limit reached");
    assert!(run_with("for (;;) malloc(1000);", steps(100_000_000)).contains("out of memory"));
    assert!(run_with("for (;;) malloc(1 << 20);", steps(100_000_000)).contains("out of memory"));
    // Only what is written of a large object takes memory.
    let large = "char *p = malloc(1L << 40); p[(1L << 40) - 1] = 7; ";
    assert_eq!(run_with(&format!("{large} return p[(1L << 40) - 1] + p[5];"), steps(1000)), "exited with status 7");
    assert!(run_with(&format!("{large} return p[1L << 40];"), steps(1000)).contains("out of bounds"));
    assert!(run_with(&format!("{large} free(p); return p[0];"), steps(1000)).contains("whose life has ended"));
    assert!(run_with(&format!("{large} memset(p, 1, 1L << 40);"), steps(1000)).contains("out of memory"));
    assert!(
        run_with(&format!("{large} for (long i = 0;; i += 4096) p[i] = 1;"), steps(100_000_000))
            .contains("out of memory")
    );
    let moved = "memcpy(p + 3, p + (1L << 40) - 70000, 70000); return p[70002];";
    assert_eq!(run_with(&format!("{large} {moved}"), steps(1000)), "exited with status 7");
    assert_eq!(
        run_with("long n = 100000; int a[n]; a[n - 1] = 3; return a[n - 1];", steps(1000)),
        "exited with status 3"
    );
    // No object is as large as that.
    assert_eq!(run_with("return malloc(-1) != 0;", steps(1000)), "exited with status 0");
    let cancel = std::sync::atomic::AtomicBool::new(true);
    assert_eq!(run_with("for (;;) ;", Config { cancel: Some(&cancel), ..Config::default() }), "cancelled");
    let text =
        "int f(int n) { int a[10]; a[n % 10] = n; return f(n + 1) + a[n % 10]; }\nint main(void) { return f(0); }\n";
    let small = Config { max_stack: 8 << 20, ..Config::default() };
    let run = execute_with("t.c", text, DataModel::Lp64, &mut Zeros, small);
    assert!(run.description.contains("stack overflow"), "{}", run.description);
}

#[test]
fn narrow_heap_comes_back() {
    let text = "typedef unsigned size_t; void *malloc(size_t); void free(void *);\n\
        int main(void) { for (int i = 0; i < 1500; i++) { char *p = malloc(1 << 20); p[i] = 1; free(p); }\n\
        for (int i = 0; i < 40000; i++) { char *p = malloc(30000); p[7] = 1; free(p); } return 5; }\n";
    assert_eq!(execute("t.c", text, DataModel::Ilp32, &mut Zeros).description, "exited with status 5");
}

#[test]
fn invalid_accesses_can_be_ignored() {
    let ignore = || Config { invalid: InvalidPolicy::Havoc, ..Config::default() };
    assert_eq!(run_with("int a[2], i = 5; a[i] = 3; return a[i] + 1;", ignore()), "exited with status 1");
    assert_eq!(run_with("int *p = 0; *p = 3; free(p + 1); return 2;", ignore()), "exited with status 2");
    assert_eq!(
        run_with("int *p = 0; __int128 *q = (__int128 *)p; return 4 + (int)*q;", ignore()),
        "exited with status 4"
    );
}

#[test]
fn inputs_in_order() {
    let body = "int x; int a = __VERIFIER_nondet_int(); unsigned char b = __VERIFIER_nondet_uchar();\n\
        double d = __VERIFIER_nondet_double(); printf(\"%d %d %g %d\", a, b, d, __VERIFIER_nondet_int()); return 0;";
    let text = format!("{DECLARATIONS}\nint main(void) {{\n{body}\n}}\n");
    let values = inputs::parse("-5 # first\n0x1ff\n1.5\n").expect("well-formed");
    let output = |inputs: &mut dyn robusto_interp::Inputs| execute("t.c", &text, DataModel::Lp64, inputs).output;
    assert_eq!(output(&mut Listed::new(values, Zeros)), "-5 255 1.5 0");
    assert_eq!(output(&mut Seeded::new(7)), output(&mut Seeded::new(7)));
    assert_ne!(output(&mut Seeded::new(7)), output(&mut Seeded::new(8)));
}

#[test]
fn arguments_of_main() {
    let text = "int printf(const char *, ...);\nint main(int argc, char **argv) {\n\
        for (int i = 0; i <= argc; i++) printf(\"[%s]\", argv[i]); return argc; }\n";
    let args = vec![b"prog".to_vec(), b"one".to_vec(), b"two words".to_vec()];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let run = execute_with("t.c", text, model, &mut Zeros, Config { args: args.clone(), ..Config::default() });
        assert_eq!(
            (run.output.as_str(), run.description.as_str()),
            ("[prog][one][two words][(null)]", "exited with status 3")
        );
    }
}

#[test]
fn trace_shows_steps() {
    let text = "int g[2];\nstatic int twice(int x) { return 2 * x; }\nint main(void) {\n  int y = twice(-21);\n  g[1] = y;\n  int *p = &g[1];\n  *p = 7;\n  return *p;\n}\n";
    let program = compile("dir/t.c", text, DataModel::Lp64);
    let code = Code::new(&program);
    let mut lines = Vec::new();
    let (mut out, mut err, mut inputs) = (Vec::new(), Vec::new(), Zeros);
    let streams = Streams { out: &mut out, err: &mut err };
    let mut trace = Trace::new(&mut lines);
    Machine::new(&program, &code, Config::default(), &mut inputs, &mut trace, streams).expect("it starts").run();
    trace.finish().expect("memory can be written");
    let lines = String::from_utf8(lines).expect("text");
    for expected in [
        "t.c:2",
        "call twice(x = -21)",
        "return from twice with -42",
        "&g+4 := -42",
        "&g+4 := 7",
        "return from main with 7",
    ] {
        assert!(lines.contains(expected), "{expected:?} is missing in\n{lines}");
    }
}

#[test]
fn stderr_is_no_output() {
    let text = "struct file; extern struct file *stdout, *stderr; int fprintf(struct file *, const char *, ...);\n\
        int main(void) { struct file *f = stdout; fprintf(stderr, \"error\"); fprintf(f, \"out\"); return 0; }\n";
    let config = Config { streams: true, ..Config::default() };
    let run = execute_with("t.c", text, DataModel::Lp64, &mut Zeros, config);
    assert_eq!(run.output, "out", "{}", run.description);
}
