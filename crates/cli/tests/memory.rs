//! Memory properties: our own programs, mutants of them with gcc's sanitizers, and what `check` says without a property.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use support::Folder;

fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants").join(name);
    fs::read_to_string(path).expect("the program can be read")
}

#[test]
fn programs_without_errors_are_proved() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("memory-true");
    for name in
        ["stack.c", "ring.c", "list.c", "text.c", "matrix.c", "grow.c", "table.c", "tree.c", "fill.c", "owner.c"]
    {
        folder.write(name, program(name));
        folder
            .run(&["check", "--property", "valid-memsafety", "--malloc", "never-fails", "--timeout", "50s", name])
            .expect(0)
            .prints("RESULT: true");
    }
}

/// A sample of what `scripts/memory-mutants` makes: program, the text that is changed, and what it violates then.
const MUTANTS: [(&str, &str, &str, &str); 8] = [
    ("stack.c", "top < 4", "top <= 4", "valid-deref"),
    ("ring.c", "n * sizeof(int)", "n", "valid-deref"),
    ("list.c", "if (found)", "if (1)", "valid-deref"),
    (
        "list.c",
        "struct node *next = list->next;\n        free(list);",
        "free(list);\n        struct node *next = list->next;",
        "valid-deref",
    ),
    ("grow.c", "a->used * sizeof(int))", "a->used * sizeof(int) + 1)", "valid-deref"),
    ("table.c", "if (!e)", "if (0)", "valid-deref"),
    ("fill.c", "memset(a, 1, n)", "memset(a, 1, n + 1)", "valid-deref"),
    ("owner.c", "free(w->first);", "free(w->first);\n    free(w->first);", "valid-free"),
];

/// Each is found, and compiled with the sanitizers the harness stops in the same line.
#[test]
fn mutants_are_found_where_the_sanitizers_find_them() {
    let folder = Folder::new("memory-mutants");
    folder.write("empty.c", "int main(void) { return 0; }");
    let compile = |files: &[&str]| {
        let flags = ["-g", "-w", "-fsanitize=address,undefined", "-o", "violation"];
        let status = Command::new("gcc").args(flags).args(files).current_dir(folder.path("")).status();
        status.is_ok_and(|status| status.success())
    };
    let sanitizers = compile(&["empty.c"]);
    for (name, from, to, part) in MUTANTS {
        let (original, result) = (program(name), format!("RESULT: false({part})"));
        assert_eq!(original.matches(from).count(), 1, "{name}: {from}");
        folder.write("m.c", original.replace(from, to));
        if !support::has_compiler() {
            return;
        }
        let property = ["--property", "valid-memsafety", "--malloc", "never-fails"];
        let args = [&["check", "--timeout", "50s", "--harness", "h.c", "m.c"], &property[..]].concat();
        let outcome = folder.run(&args).expect(10).prints(&result);
        let place = outcome.stdout.split("m.c:").nth(1).and_then(|rest| rest.split(':').next()).expect("a line");
        if !sanitizers {
            continue;
        }
        // The harness says how it is compiled.
        let harness = std::fs::read_to_string(folder.path("h.c")).expect("there is a harness");
        let command = harness.lines().find_map(|line| line.trim().strip_suffix(" && ./violation")).expect("a command");
        let command = command.replace("HARNESS.c", "h.c");
        let status = Command::new("sh").args(["-c", &command]).current_dir(folder.path("")).status().expect("a shell");
        assert!(status.success(), "{name}: {to}: the harness does not compile: {command}");
        let output = Command::new(folder.path("violation")).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("AddressSanitizer") || said.contains("runtime error"), "{name}: {to}: {said}");
        assert!(said.contains(&format!("m.c:{place}")), "{name}: {to}: line {place}\n{said}");
    }
}

/// Without a property and without a task file, what a developer means is checked, with a line for each kind.
#[test]
fn the_default_is_what_a_developer_means() {
    let folder = Folder::new("memory-default");
    let text = "extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int a[4];
int main(void) {
  int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (i >= 0 && i < 4 && n > 0 && n < 31)
    a[i] = 100 / n + (1 << n);
  if (a[0] < 0) __assert_fail(\"a\", \"f\", 1, \"main\");
  return 0;
}
";
    folder.write("good.c", text);
    let good = folder.run(&["check", "good.c"]).expect(0).prints("RESULT: true");
    for kind in ["assert", "bad-shift", "div-by-zero", "no-overflow", "valid-deref"] {
        assert!(good.stdout.lines().any(|l| l.starts_with(kind) && l.contains(" true ")), "{kind}\n{}", good.stdout);
    }
    for (from, to, kind) in [
        ("i < 4", "i < 5", "valid-deref"),
        ("n > 0", "n >= 0", "div-by-zero"),
        ("n < 31", "n < 33", "bad-shift"),
        ("a[0] < 0", "a[0] > 0", "assert"),
    ] {
        folder.write("bad.c", text.replace(from, to));
        let bad = folder.run(&["check", "bad.c"]).expect(10);
        assert!(bad.stdout.lines().any(|l| l.starts_with(kind) && l.contains(" false ")), "{kind}\n{}", bad.stdout);
    }
}

/// A `true` of another property tells which accesses it takes to be valid.
#[test]
fn accesses_that_were_not_shown_are_told() {
    let folder = Folder::new("memory-unshown");
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int a[4] = {0}, x = 0, *p = __VERIFIER_nondet_int() ? &x : 0;
  for (int i = 0; i < 4; i++)
    a[i] = 1;
  *p = 1;
  if (a[0] != 1) reach_error();
  return x;
}
";
    folder.write("a.c", text);
    let outcome = folder.run(&["check", "--property", "unreach-call", "--undefined", "ends", "a.c"]).expect(0);
    assert!(outcome.stdout.contains("1 access to memory was not shown"), "the store through p\n{}", outcome.stdout);
    assert!(outcome.stdout.contains("a.c:6:"), "{}", outcome.stdout);
    folder.run(&["check", "--property", "valid-deref", "a.c"]).expect(10).prints("RESULT: false(valid-deref)");
}

/// Accesses are shown to be valid by their form, by others before, by allocations with bounds of indices, and by where pointers
/// point; what is left, such as the free, is checked.
#[test]
fn most_accesses_need_no_engine() {
    let folder = Folder::new("memory-discharge");
    let text = "#include <stdlib.h>
struct pair { int a, b; };
static struct pair kept;
static int get(struct pair *p) { return p->a; }
int main(void) {
  struct pair *p = malloc(2 * sizeof *p), *q = &kept;
  for (int i = 0; i < 2; i++) {
    p[i].a = i;
    p[i].b = p[i].a;
  }
  q->b = get(q);
  int n = p[1].b;
  free(p);
  return n;
}
";
    folder.write("good.c", text);
    let good =
        folder.run(&["check", "--property", "valid-deref", "--malloc", "never-fails", "--explain", "good.c"]).expect(0);
    assert!(good.stderr.contains("memory: 6 of 7 accesses are valid ("), "{}", good.stderr);
    for (from, to) in [("i < 2", "i < 3"), ("= &kept", "= 0"), ("free(p);", ""), ("p[1].b;", "(free(p), p[1].b);")] {
        folder.write("bad.c", text.replace(from, to));
        let bad = folder.run(&["check", "--property", "valid-deref", "--malloc", "never-fails", "bad.c"]);
        let expected = if to.is_empty() { "RESULT: true" } else { "RESULT: false(valid-deref)" };
        assert!(bad.stdout.contains(expected), "{from} to {to}\n{}", bad.stdout);
    }
}

#[test]
fn errors_inside_of_models_are_at_the_call() {
    let folder = Folder::new("memory-models");
    let text = "unsigned long strlen(const char *);\nint main(void) {\n  char word[2] = {'a', 'b'};\n  return strlen(word) > 5;\n}\n";
    folder.write("text.c", text);
    let found = folder.run(&["check", "--property", "valid-deref", "--github", "text.c"]).expect(10);
    let mut lines = found.stdout.lines();
    assert!(lines.any(|line| line.starts_with("text.c:4:10: error: invalid access in strlen")), "{}", found.stdout);
    assert!(found.stdout.contains("file=text.c,line=4"), "{}", found.stdout);
}
