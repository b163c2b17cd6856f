//! Symbols across files, what happens before and after `main`, cleanups and assembly: the verdicts.

mod support;

use support::Folder;

/// `robusto check` of one file under several analyses.
fn verdict(folder: &Folder, text: &str, expected: &str) {
    folder.write("t.c", format!("void reach_error(void); void exit(int); void abort(void);\n{text}\n"));
    for analysis in ["predicate", "bmc", "kind"] {
        let args = ["check", "t.c", "--property", "unreach-call", "--analysis", analysis, "--timeout", "20s"];
        let out = folder.run(&args);
        let found = out.stdout.lines().find(|line| line.starts_with("RESULT")).unwrap_or("nothing").to_owned();
        assert_eq!(found, format!("RESULT: {expected}"), "{analysis}: {text}");
    }
}

#[test]
fn before_and_after_main() {
    let folder = Folder::new("symbols_start");
    let (yes, no) = ("true", "false(unreach-call)");
    let constructor = "int g; __attribute__((constructor)) static void c(void) { g = 5; }\n";
    verdict(&folder, &format!("{constructor} int main(void) {{ if (g != 5) reach_error(); return 0; }}"), yes);
    verdict(&folder, &format!("{constructor} int main(void) {{ if (g == 5) reach_error(); return 0; }}"), no);
    let destructor = "int g; __attribute__((destructor)) static void d(void) { if (g == 3) reach_error(); }\n";
    verdict(&folder, &format!("{destructor} int main(void) {{ g = 3; return 0; }}"), no);
    verdict(&folder, &format!("{destructor} void f(void) {{ exit(1); }} int main(void) {{ g = 3; f(); g = 4; }}"), no);
    verdict(&folder, &format!("{destructor} int main(void) {{ g = 3; abort(); }}"), yes);
    verdict(&folder, &format!("{destructor} int main(void) {{ g = 4; return 0; }}"), yes);
    let section =
        "int g; static void c(void) { g = 1; } __attribute__((section(\".init_array\"))) void (*p)(void) = c;\n";
    let unknown = "unknown(unsupported: functions in a section that runs before or after `main` in _start, line 3)";
    verdict(&folder, &format!("{section} int main(void) {{ if (g) reach_error(); return 0; }}"), unknown);
}

#[test]
fn main_calls_itself() {
    let folder = Folder::new("symbols_main");
    let text = "extern int e; int depth;\n\
        int main(void) { if (depth++ == 0) { e = 7; main(); if (e != 8) reach_error(); }\n\
        else { if (e != 7) reach_error(); e = 8; } return 0; }";
    verdict(&folder, text, "true");
    let text = "extern int e; int main(int argc) { if (argc == 77) main(0); if (e == 7) reach_error(); return 0; }";
    verdict(&folder, text, "false(unreach-call)");
}

#[test]
fn cleanups() {
    let folder = Folder::new("symbols_cleanup");
    let text = "static void c(int *p) { if (*p == BAD) reach_error(); }\n\
        int main(void) { for (int i = 0; i < 3; i++) { int x __attribute__((cleanup(c))) = i + 2; if (x == 3) break; } }";
    verdict(&folder, &text.replace("BAD", "3"), "false(unreach-call)");
    verdict(&folder, &text.replace("BAD", "4"), "true");
}

#[test]
fn weak_symbols() {
    let folder = Folder::new("symbols_weak");
    let declared = "extern int w(void) __attribute__((weak)); extern int v __attribute__((weak));";
    verdict(&folder, &format!("{declared} int main(void) {{ if (!w) reach_error(); }}"), "false(unreach-call)");
    verdict(&folder, &format!("{declared} int main(void) {{ if (w) reach_error(); }}"), "false(unreach-call)");
    verdict(&folder, &format!("{declared} int main(void) {{ if (&v == 0) reach_error(); }}"), "false(unreach-call)");
    // Another file's strong definition goes first, whatever the order.
    folder.write("a.c", "__attribute__((weak)) int f(void) { return 1; } __attribute__((weak)) int x = 1;\n");
    folder.write("b.c", "int f(void) { return 20; } int x = 30;\n");
    folder.write("c.c", "int f(void); extern int x; int main(void) { return f() + x; }\n");
    folder.run(&["run", "a.c", "b.c", "c.c"]).expect(50);
    folder.run(&["run", "c.c", "b.c", "a.c"]).expect(50);
    folder.run(&["run", "a.c", "c.c"]).expect(2);
    folder.write("b.c", "int x;\n");
    folder.run(&["run", "a.c", "b.c", "c.c"]).expect(1);
    // An assembler name links, in its own file also with what is static.
    folder
        .write("a.c", "static int f(void) { return 1; } int g(void) __asm__(\"f\"); int main(void) { return g(); }\n");
    folder.write("b.c", "int f(void) { return 6; }\n");
    folder.run(&["run", "b.c", "a.c"]).expect(1);
    folder.write("a.c", "int g(void) __asm__(\"f\"); int main(void) { return g(); }\n");
    folder.run(&["run", "b.c", "a.c"]).expect(6);
    // A weak alias yields to another file's definition.
    folder.write("a.c", "static int g(void) { return 1; } int f(void) __attribute__((weak, alias(\"g\")));\n");
    folder.write("c.c", "int f(void); int main(void) { return f(); }\n");
    folder.run(&["run", "a.c", "c.c"]).expect(1);
    folder.run(&["run", "a.c", "b.c", "c.c"]).expect(6);
}

#[test]
fn assembly() {
    let folder = Folder::new("symbols_asm");
    let main = |asm: &str| format!("int g; int main(void) {{ int x = 3; {asm} if (x != 3) reach_error(); return 0; }}");
    verdict(&folder, &main("__asm__ volatile(\"\" : \"+r\"(x) :: \"memory\");"), "true");
    verdict(&folder, &main("__asm__(\"movl $7, %0\" : \"=r\"(x));"), "false(unreach-call)");
    let after = |asm: &str| format!("int g; int main(void) {{ if (g) reach_error(); {asm} return 0; }}");
    for asm in [
        "__asm__(\"movl $1, g(%rip)\");",
        "__asm__ volatile(\"movl $1, g(%%rip)\" ::: \"memory\");",
        "__asm__(\"movl $1, (%0)\" :: \"r\"(&g));",
        "__asm__(\"incl %0\" :: \"m\"(g));",
    ] {
        folder.write("t.c", after(asm));
        folder.run(&["run", "t.c"]).expect(5).says("inline assembly that may change memory");
    }
    // Memory that is only read stays as it is; what is read is any value.
    let reads = "__asm__ volatile(\"bt %2, %1\\n\\tsbb %0, %0\" : \"=r\"(g) : \"m\"(x), \"Ir\"(1) : \"memory\");";
    verdict(&folder, &main(reads), "true");
    let text =
        "int f(void); __asm__(\".globl f\\nf: movl $7, %eax\\n ret\"); int main(void) { if (f() == 7) reach_error(); }";
    verdict(&folder, text, "unknown(unsupported: a call of `f`, which is written in assembly in f, line 2)");
}

#[test]
fn what_gcc_accepts() {
    let folder = Folder::new("symbols_accepted");
    let accepts = |text: &str, status: i32| {
        folder.write("t.c", text);
        folder.run(&["run", "t.c"]).expect(status);
        folder.run(&["run", "--data-model", "ilp32", "t.c"]).expect(status);
    };
    accepts("extern void x; int main(void) { return &x == 0; }\n", 0);
    accepts("void g(); int main(void) { g(1); return 4; } void g(int a, int b) { }\n", 4);
    accepts("int f(a, b) { return a; } int main(void) { return f(3); }\n", 3);
    accepts("char *p = 18446744073709551615; int main(void) { return p == (char *)-1; }\n", 1);
    accepts(
        "typedef __builtin_va_list va; int f(int n, ...) { va ap; __builtin_va_start((va *)&ap, n);\n\
         return __builtin_va_arg(ap, int); } int main(void) { return f(1, 9); }\n",
        9,
    );
    accepts(
        "typedef __builtin_va_list va; int sum(int n, ...) { va ap; int s = 0; __builtin_va_start(ap, n);\n\
         while (n--) s += __builtin_va_arg(ap, int); return s; }\n\
         extern inline __attribute__((gnu_inline, always_inline)) int pass(int n, ...) {\n\
         return sum(n, __builtin_va_arg_pack()); } int main(void) { return pass(3, 1, 2, 4) + pass(0); }\n",
        7,
    );
    folder.write("t.c", "void exit(); int main(void) { exit(); }\n");
    folder.run(&["check", "--property", "unreach-call", "t.c"]).expect(0).says("this call needs at least 1 arguments");
}

#[test]
fn floats_of_both_widths() {
    let folder = Folder::new("symbols_floats");
    folder.write(
        "t.c",
        "void reach_error(void); float __VERIFIER_nondet_float(void); double __VERIFIER_nondet_double(void);\n\
         int main(void) { float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();\n\
         double c = __VERIFIER_nondet_double(), d = __VERIFIER_nondet_double();\n\
         if (a == 0 && b == 0 && c == 0 && d == 0) { float s = a + b; double t = c + d;\n\
         if (s == 5 && t == 6 && a - b == 3 && c - d == 4) reach_error(); } return 0; }\n",
    );
    for analysis in ["predicate", "impact", "bmc", "kind"] {
        let args = ["check", "t.c", "--property", "unreach-call", "--analysis", analysis, "--timeout", "20s"];
        assert_ne!(folder.run(&args).code, Some(6), "{analysis}");
    }
}
