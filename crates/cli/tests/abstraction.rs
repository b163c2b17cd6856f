//! `robusto abstract` and `--analysis slam`, from the command line.

mod support;

use support::Folder;

const IDENTITY: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int id(int x) { if (x <= 0) return 0; return id(x - 1) + 1; }
int main() { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; if (id(n) != n) reach_error(); }
";

#[test]
fn the_boolean_program_is_accepted() {
    let folder = Folder::new("abstract_accepted");
    folder.write("id.c", IDENTITY);
    folder.write("id.preds", "id entry: x < 0\nid exit: result == old(x)\n");
    folder.run(&["abstract", "--predicates", "id.preds", "-o", "id.bp", "id.c"]).expect(0);
    folder.run(&["bp", "id.bp"]).expect(0).prints("RESULT: true").prints("certified: yes");
    folder.run(&["bp", "--print", "id.bp"]).expect(0).prints("bool id({at entry: id::x < 0}) begin");
    // The conditions of the program do not say what is returned.
    folder.run(&["abstract", "-o", "weak.bp", "id.c"]).expect(0);
    folder.run(&["bp", "weak.bp"]).expect(10).prints("RESULT: false(assert)");
}

/// Functions of C may have names that mean something in a Boolean program.
#[test]
fn names_that_are_words_of_the_language() {
    let folder = Folder::new("abstract_words");
    folder.write("w.c", "void skip(void) {}\nvoid end(int n) { if (n) end(n - 1); skip(); }\nvoid reach_error(void);\nint main() { end(3); reach_error(); }\n");
    folder.run(&["abstract", "-o", "w.bp", "w.c"]).expect(0);
    folder.run(&["bp", "w.bp"]).expect(10).prints("RESULT: false(assert)");
}

#[test]
fn predicates_with_mistakes() {
    let folder = Folder::new("abstract_mistakes");
    folder.write("id.c", IDENTITY);
    folder.write("bad.preds", "# a comment\nid entry:\n  y == 1\n");
    folder
        .run(&["abstract", "--predicates", "bad.preds", "id.c"])
        .expect(2)
        .says("bad.preds:3")
        .says("no variable `y`");
    folder.run(&["abstract", "--predicates", "none.preds", "id.c"]).expect(1).says("cannot read 'none.preds'");
}

#[test]
fn what_cannot_be_abstracted() {
    let folder = Folder::new("abstract_refused");
    folder.write(
        "f.c",
        "void f(int *p, int n) { int x = n; if (n) f(&x, n - 1); *p = 0; }\nint main() { int y; f(&y, 3); }\n",
    );
    folder.run(&["abstract", "f.c"]).expect(2).says("a local of the recursive function `f`");
    folder.write("g.c", "int g;\n");
    folder.run(&["abstract", "g.c"]).expect(2).says("no main");
}

#[test]
fn slam_proves_and_its_certificate_is_accepted() {
    let folder = Folder::new("slam_certificate");
    folder.write("id.c", IDENTITY);
    for checker in ["bdd", "explicit"] {
        let args = [
            "check",
            "--property",
            "unreach-call",
            "--analysis",
            "slam",
            "--checker",
            checker,
            "--certificate",
            "id.cert",
            "id.c",
        ];
        folder.run(&args).expect(0).prints("RESULT: true").prints("certified: yes");
        folder.run(&["certify", "id.c", "id.cert"]).expect(0);
    }
    folder.write("bug.c", IDENTITY.replace("id(n) != n", "id(n) == 2"));
    folder
        .run(&["check", "--property", "unreach-call", "--analysis", "slam", "bug.c"])
        .expect(10)
        .prints("RESULT: false(unreach-call)");
}
