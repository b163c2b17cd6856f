//! Help, wrong use, and output.

mod support;

use std::io::Read as _;
use std::process::Stdio;
use support::Folder;

#[test]
fn help_names_commands_examples_and_exit_codes() {
    let folder = Folder::new("usage_help");
    for args in [&["--help"][..], &["help"], &["-h"]] {
        folder.run(args).expect(0).prints("cfa").prints("Examples:").prints("Exit codes");
    }
    folder.run(&["cfa", "--help"]).expect(0).prints("--data-model").prints("Examples:");
    folder.run(&["run", "--help"]).expect(0).prints("--data-model").prints("Examples:");
}

#[test]
fn version() {
    let shown = Folder::new("usage_version").run(&["--version"]).expect(0).stdout;
    let rest = shown.strip_prefix(concat!("robusto ", env!("CARGO_PKG_VERSION"))).expect("name and version");
    // In a clone, the commit follows.
    let commit = rest.trim().trim_start_matches('(').trim_end_matches(')');
    assert!(commit.chars().all(|c| c.is_ascii_hexdigit()), "{shown}");
}

#[test]
fn manual_pages() {
    let folder = Folder::new("usage_man");
    folder.run(&["man"]).expect(0).prints(".TH robusto 1").prints("check");
    folder.run(&["man", "-o", "man1"]).expect(0);
    let page = std::fs::read_to_string(folder.path("man1/robusto-check.1")).expect("a page of each command");
    assert!(page.contains("report") && page.contains("timeout"), "{page}");
}

#[test]
fn wrong_use() {
    let folder = Folder::new("usage_wrong");
    folder.write("a.c", "int main(void) { return 0; }\n");
    for args in [
        &[][..],
        &["prove"],
        &["cfa"],
        &["run"],
        &["cfa", "--what", "a.c"],
        &["cfa", "--format", "pdf", "a.c"],
        &["cfa", "--data-model", "lp32", "a.c"],
        &["cfa", "--stats", "--format", "dot", "a.c"],
        &["cfa", "--large-blocks", "--format", "dot", "a.c"],
        &["cfa", "--function", "absent", "a.c"],
        &["cfa", "-o", "no/such/folder/out.txt", "a.c"],
    ] {
        let outcome = folder.run(args).expect(1);
        assert!(outcome.stdout.is_empty() && !outcome.stderr.is_empty(), "{args:?}: {outcome:?}");
    }
}

#[test]
fn output_to_a_file() {
    let folder = Folder::new("usage_output");
    folder.write("a.c", "int main(void) { return 0; }\n");
    for format in ["text", "dot", "svg"] {
        let printed = folder.run(&["cfa", "--format", format, "a.c"]).expect(0).stdout;
        assert!(printed.contains("main"), "{format}: {printed}");
        assert_eq!(folder.run(&["cfa", "--format", format, "-o", "out", "a.c"]).expect(0).stdout, "");
        assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), printed);
    }
}

#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    let folder = Folder::new("usage_picture");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    folder.write("examples/lock.c", std::fs::read(format!("{root}/examples/lock.c")).unwrap());
    let args = ["cfa", "--format", "svg", "--function", "main", "examples/lock.c"];
    let drawn = folder.run(&args).expect(0).stdout;
    let stored = std::fs::read_to_string(format!("{root}/docs/lock.svg")).unwrap();
    assert!(drawn == stored, "docs/lock.svg is stale: robusto {} -o docs/lock.svg", args.join(" "));
}

#[test]
fn one_function() {
    let folder = Folder::new("usage_function");
    folder.write("a.c", "int one(void) { return 1; }\nint main(void) { return one(); }\n");
    for format in ["text", "dot", "svg"] {
        let all = folder.run(&["cfa", "--format", format, "a.c"]).expect(0).stdout;
        let one = folder.run(&["cfa", "--format", format, "--function", "one", "a.c"]).expect(0).stdout;
        assert!(one.contains("one") && !one.contains("main") && one.len() < all.len(), "{format}: {one}");
    }
    folder.run(&["cfa", "--function", "on", "a.c"]).expect(1).says("no function 'on'");
}

#[test]
fn large_blocks() {
    let folder = Folder::new("usage_large");
    folder.write(
        "a.c",
        "int one(void) { return 1; }\nint main(void) { int x; do { x = one(); } while (x); return x; }\n",
    );
    let one = folder.run(&["cfa", "--large-blocks", "--function", "one", "a.c"]).expect(0).stdout;
    assert_eq!(one, "function one {\n  entry L0, exit L1\n  L0 -> L1: return 1\n}\n");
    let all = folder.run(&["cfa", "--large-blocks", "a.c"]).expect(0).stdout;
    assert!(all.contains(&one) && all.contains("function main {"), "{all}");
}

#[test]
fn output_is_deterministic() {
    let folder = Folder::new("usage_deterministic");
    folder.write("a.c", "int g, h; int f(int *p) { return *p; }\nint main(void) { return f(&g) + f(&h); }\n");
    for args in [&["cfa", "a.c"][..], &["cfa", "--stats", "a.c"], &["cfa", "--format", "svg", "a.c"]] {
        assert_eq!(folder.run(args).expect(0).stdout, folder.run(args).expect(0).stdout);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("usage_pipe");
    let body: String = (0..20_000).map(|i| format!("    x = x * {i} + y;\n")).collect();
    folder.write("a.c", format!("int main(void) {{\n    int x = 0, y = 1;\n{body}    return x;\n}}\n"));
    let mut child = folder.command(&["cfa", "a.c"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let outcome = support::finish(child).expect(0);
    assert_eq!(outcome.stderr, "");
}

#[test]
fn colour_needs_a_terminal() {
    let folder = Folder::new("usage_colour");
    folder.write("a.c", "int main(void) { return x; }\n");
    let outcome = folder.run(&["cfa", "a.c"]).rejects("a.c");
    assert!(!outcome.stderr.contains('\x1b'), "{}", outcome.stderr);
}

#[test]
fn options_of_another_engine_are_errors() {
    let folder = Folder::new("usage_engine");
    folder.write("a.c", "int main(void) { return 0; }\n");
    let wrong =
        ["check", "--property", "unreach-call", "--analysis", "bdd", "--max-bound", "3", "--block", "k:5", "a.c"];
    folder.run(&wrong).expect(1).says("`--block` is no option of `--analysis bdd`; predicate and impact have it");
    let drawn = ["check", "--property", "unreach-call", "--arg", "a.svg", "a.c"];
    folder
        .run(&drawn)
        .expect(1)
        .says("`--arg` is no option of `--analysis auto`; bdd, value, product, predicate and impact have it");
    folder
        .run(&["check", "--property", "unreach-call", "--max-bound", "3", "--block", "k:5", "a.c"])
        .expect(0)
        .prints("RESULT: true");
    folder
        .run(&["check", "--property", "unreach-call", "--analysis", "kind", "--max-bound", "x", "a.c"])
        .expect(1)
        .says("--max-bound");
}

#[test]
fn pages_and_completions() {
    let folder = support::Folder::new("pages");
    for (page, word) in [
        ("engines", "bdd"),
        ("properties", "no-overflow"),
        ("formats", "--json"),
        ("check", "--property"),
        ("run", "--inputs"),
    ] {
        folder.run(&["help", page]).expect(0).prints(word);
    }
    folder.run(&["help"]).expect(0).prints("Commands:");
    folder.run(&["help", "nothing"]).expect(1).says("no page 'nothing'");
    for shell in ["bash", "zsh", "fish"] {
        folder.run(&["completions", shell]).expect(0).prints("robusto");
    }
}

#[test]
fn quiet_in_a_pipe() {
    let folder = support::Folder::new("quiet");
    let text = "void reach_error(void); int main() { unsigned i = 0; while (i != 2000000000u) i++; if (i == 5) reach_error(); }";
    folder.write("a.c", text);
    let quiet =
        folder.run(&["check", "--property", "unreach-call", "--analysis", "bdd", "--timeout", "1s", "a.c"]).expect(5);
    assert_eq!(quiet.stderr, "");
    folder
        .run(&["check", "--property", "unreach-call", "-v", "--analysis", "bdd", "--timeout", "1s", "a.c"])
        .expect(5)
        .says("bdd: exploration");
}
