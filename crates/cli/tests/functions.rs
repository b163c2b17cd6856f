//! `--function`: functions without a `main`, made-up arguments, and harnesses that call them for real.

mod support;

use std::process::Command;
use support::Folder;

/// Compiles a harness with the file whose function it calls, and runs it.
fn execute(folder: &Folder, harness: &str, flags: &[&str]) -> Option<(Option<i32>, String)> {
    let (entry, binary) = (folder.path("entry.o"), folder.path("violation"));
    let gcc = |args: &[&str], output: &std::path::Path| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-g"]).args(flags).args(args).arg("-I").arg(folder.path("")).arg("-o").arg(output);
        gcc.output().ok()
    };
    let harness = folder.path(harness).display().to_string();
    let entry_text = entry.display().to_string();
    for (args, output) in [(vec!["-DROBUSTO_ENTRY", "-c", &harness], &entry), (vec![&harness, &entry_text], &binary)] {
        let Some(built) = gcc(&args, output) else {
            eprintln!("skipped: there is no gcc");
            return None;
        };
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    }
    let run = Command::new(binary).output().expect("the program runs");
    Some((run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned()))
}

const LIBRARY: &str = "#include <assert.h>
typedef struct { int a; double d; char name[40]; void *more; } item;
struct node { int v; struct node *next; };
static int limit = 4; int table[100];
static int sum(const struct node *n) { assert(!(n && n->next && n->v + 1 == n->next->v && n->v > 3)); return n ? n->v : 0; }
int letters(const char *s, char c) { assert(!(s && s[0] == 'a' && s[1] == c && s[2] == 0)); return 0; }
int apply(int (*f)(int, item *), int x) { item i = {0}; int y = f ? f(x, &i) : 0; assert(y != 5 || i.a != 6); return 0; }
void both(int *a, int *b) { if (a && b) { *a = 1; *b = 2; assert(*a == 1); } }
int whole(item i) { assert(i.name[20] != 'x' || i.a != 7); return i.a; }
int behind(item *i) { assert(!(i && i->name[33] == 'y' && i->d > 2.5)); return 0; }
int state(void) { assert(limit == 4 && table[50] == 0); return limit + sum(0); }
int wide(unsigned __int128 w, _Bool b, float f) { assert(!(w >> 100 == 9 && b && f == 0.5f)); return 0; }
";

#[test]
fn harnesses_call_functions_with_the_same_arguments() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("functions");
    folder.write("library.c", LIBRARY);
    let functions = ["sum", "letters", "both", "whole", "behind", "state", "wide"];
    for function in functions {
        let options: &[&str] = if function == "state" { &["--havoc-globals"] } else { &[] };
        let args = ["check", "--property", "assert", "--function", function, "--harness", "harness.c", "library.c"];
        folder.run(&[&args, options].concat()).expect(10);
        let Some((code, said)) = execute(&folder, "harness.c", &["-fsanitize=address,undefined"]) else { return };
        assert_eq!(code, Some(10), "{function}: {said}");
        assert!(said.contains("robusto: an assertion fails"), "{function}: {said}");
    }
}

#[test]
fn all_functions_make_a_table() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("functions-all");
    folder
        .write("library.c", LIBRARY)
        .write("fine.c", "int f(int x) { return x; } static int g(void) { return f(1); }");
    let outcome =
        folder.run(&["check", "--property", "assert", "--function", "all", "--harness", "out", "library.c"]).expect(10);
    let outcome = outcome.prints("8 functions: 1 true, 7 false, 0 unknown").prints("RESULT: false(7 of 8 functions)");
    assert!(
        outcome.stdout.lines().any(|line| line.starts_with("both") && line.contains("library.c:8")),
        "{}",
        outcome.stdout
    );
    assert!(folder.path("out/both.c").exists());
    folder.run(&["check", "--property", "assert", "--function=all", "fine.c"]).expect(0).prints("2 functions: 2 true");
}

#[test]
fn what_a_function_gets_its_caller_holds() {
    let folder = Folder::new("functions-caller");
    folder.write(
        "state.c",
        "#include <stdlib.h>\n\
         struct state { int step; char *text; struct state *next; };\n\
         void start(struct state *s) { s->step = 0; s->text = 0; s->next = 0; }\n\
         void stop(struct state *s) { free(s); }\n\
         void lose(struct state *s) { char *own = malloc(4); if (own) own[0] = 0; own = 0; free(s); }\n\
         void twice(struct state *s) { free(s); free(s); }\n",
    );
    folder.run(&["check", "--non-null", "--function", "start", "state.c"]).expect(0);
    folder.run(&["check", "--non-null", "--function", "stop", "state.c"]).expect(0);
    folder.run(&["check", "--function", "lose", "state.c"]).expect(10).prints("false(valid-memtrack)");
    folder.run(&["check", "--non-null", "--function", "twice", "state.c"]).expect(10).prints("false(valid-free)");
}

#[test]
fn a_certificate_of_a_function_is_checked_again() {
    let folder = Folder::new("functions-certificate");
    folder.write("f.c", "extern void reach_error(void); int f(unsigned char *p, int n) { int s = 0; for (int i = 0; i < 5; i++) s += i; if (s != 10) reach_error(); return p ? *p : n; }");
    let args = ["check", "--property", "unreach-call", "--function", "f", "--certificate", "f.cert", "f.c"];
    folder.run(&args).expect(0).prints("`f` is called once");
    folder.run(&["certify", "--function", "f", "f.c", "f.cert"]).expect(0);
    folder.run(&["certify", "--function", "f", "--pointer-depth", "0", "f.c", "f.cert"]).expect(10);
}

#[test]
fn what_is_missing_is_named() {
    let folder = Folder::new("functions-missing");
    folder.write("f.c", "int encode(int x) { return x; }\nint other(void) { return 0; }\n");
    folder.run(&["check", "f.c"]).expect(1).says("no `main`").says("functions: encode, other");
    folder.run(&["check", "--function", "encoed", "f.c"]).expect(1).says("did you mean `encode`?");
    folder.run(&["check", "--havoc-globals", "f.c"]).expect(1);
    let outcome = folder.run(&["check", "--json", "-", "f.c"]).expect(1);
    assert!(outcome.stdout.contains("no `main`"), "{}", outcome.stdout);
}

#[test]
fn a_database_says_how_files_are_compiled() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("functions-database");
    folder.write("inc/limit.h", "#define LIMIT 3\n");
    folder.write("src/l.c", "#include \"limit.h\"\nextern void reach_error(void);\nint l(int a) { if (a == LIMIT + EXTRA + (int)sizeof(long)) reach_error(); return a; }\n");
    folder.write("src/m.c", "int l(int);\nint main(void) { return l(11); }\n");
    let json = r#"[{"directory": ".", "command": "gcc -m32 -I../inc -DEXTRA=4 -O2 -c ../src/l.c -o l.o", "file": "../src/l.c"},
        {"directory": ".", "arguments": ["gcc", "-m32", "-c", "../src/m.c"], "file": "../src/m.c"}]"#;
    folder.write("build/compile_commands.json", json);
    folder.run(&["check", "-p", "build"]).expect(10);
    folder.run(&["check", "-p", "build", "--function", "l"]).expect(10);
    folder.run(&["check", "-p", "build/compile_commands.json", "src/l.c", "--function", "l"]).expect(10);
    folder.run(&["check", "-p", "build", "--function", "k"]).expect(2).says("no file of it seems to define `k`");
    folder.write("x.c", "int main(void) { return 0; }");
    folder.run(&["check", "-p", "build", "x.c"]).expect(2).says("does not know this file");
    folder.write("bad/compile_commands.json", "{}");
    folder.run(&["check", "-p", "bad"]).expect(1).says("no compilation database");
}

#[test]
fn compilers_options_mean_what_they_mean_there() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("functions-options");
    folder.write("sys/s.h", "#define S 1\n").write("pre.h", "#define P 1\n");
    folder.write("a.c", "#include <stddef.h>\nextern void reach_error(void);\n#ifdef S\nint s;\n#endif\nint main(void) { if (HIT) reach_error(); return 0; }\n");
    folder.run(&["check", "-DHIT=__STDC_VERSION__==199901", "-std=c99", "a.c"]).expect(10);
    folder.run(&["check", "-DHIT=__STDC_VERSION__==199901", "-std=c11", "a.c"]).expect(0);
    folder.run(&["check", "-DHIT=P", "-include", "pre.h", "a.c"]).expect(10);
    folder.run(&["check", "-DHIT=sizeof(long)==4", "--cc", "gcc -m32", "a.c"]).expect(10);
    folder.run(&["check", "-DHIT=sizeof(long)==4", "-m32", "a.c"]).expect(10);
    folder.run(&["check", "-DHIT=sizeof(long)==4", "a.c"]).expect(0);
    folder.write(
        "b.c",
        "#include <s.h>\nextern void reach_error(void);\nint main(void) { if (S) reach_error(); return 0; }\n",
    );
    folder.run(&["check", "-isystem", "sys", "b.c"]).expect(10);
    folder.run(&["check", "-m16", "a.c"]).expect(2).says("changes what the program means");
}
