//! `--analysis nexpoint|nex|mtndd|ndd` with a fixed abstraction, from the command line.

mod support;

use support::Folder;

/// Figure 2(a) of the paper. Inputs are bounded, since unbounded sums wrap around; the array has any content.
const FIGURE_2A: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int A[2000];
int main(void) {
  int x1 = __VERIFIER_nondet_int(), x2 = __VERIFIER_nondet_int();
  int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int();
  if (x1 < 10 || x1 > 500 || x2 < 10 || x2 > 500) return 0;
  if (y1 < 10 || y1 > 500 || y2 < 10 || y2 > 500) return 0;
  for (int i = 0; i < 2000; i++) A[i] = __VERIFIER_nondet_int();
  if (x1 != x2) return 0;
  if (A[y1 + y2] == 3) { x1 = y1 - 2; x2 = y2 + 2; } else A[x1 + x2] = 5;
  if (A[x1 + x2] == 3) { x1 = x1 + x2; x2 = x2 + y1 - 2; }
  if (x1 != x2) reach_error();
  return 0;
}
";

/// The paper's p and q.
const P_AND_Q: &str = "main local:\n  A[y1 + y2] == 3   # p\n  A[x1 + x2] == 3   # q\n";

/// With the paper's predicates and variables NEX, MTNDD and NDD prove Figure 2(a) with polyhedra. One numeric value for all valuations is
/// not enough, and boxes and octagons cannot say x1 + x2 = y1 + y2.
#[test]
fn figure_2_with_the_papers_abstraction() {
    let folder = Folder::new("numpred_figure_2");
    folder.write("figure2.c", FIGURE_2A);
    folder.write("figure2.preds", P_AND_Q);
    for engine in ["nexpoint", "nex", "mtndd", "ndd"] {
        for domain in ["box", "oct", "poly"] {
            let abstraction = ["--predicates", "figure2.preds", "--numeric-vars", "x1,x2,y1,y2"];
            let arguments =
                ["check", "--property", "unreach-call", "--analysis", engine, "--domain", domain, "figure2.c"];
            let outcome = folder.run(&[&arguments[..], &abstraction].concat());
            if domain == "poly" && engine != "nexpoint" {
                outcome.expect(0).prints("RESULT: true").prints("certified: yes");
            } else {
                outcome.expect(5).prints("RESULT: unknown(imprecise");
            }
        }
    }
}

/// The abstract program is the one of Figure 2(b): q gets its value from numbers and p.
#[test]
fn figure_2b_is_printed() {
    let folder = Folder::new("numpred_figure_2b");
    folder.write("figure2.c", FIGURE_2A);
    folder.write("figure2.preds", P_AND_Q);
    let abstraction = ["--predicates", "figure2.preds", "--numeric-vars", "x1,x2,y1,y2", "--show-abstraction"];
    let arguments = ["check", "--property", "unreach-call", "--analysis", "nex", "--domain", "poly", "figure2.c"];
    folder
        .run(&[&arguments[..], &abstraction].concat())
        .expect(0)
        .says("p1 is memory0[")
        .says("x2 := y2 + 2")
        .says("p1 := choice(((x1 + -y1 + 2 = 0 ∧ p0)");
}

/// Fixed predicates are not added to, so what they do not tell stays unknown.
#[test]
fn predicates_alone() {
    let folder = Folder::new("numpred_fixed");
    folder.write(
        "flag.c",
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main() { int x = __VERIFIER_nondet_int(), n = 1; if (x < 0) n = 0; if (x < 0 && n != 0) reach_error(); }
",
    );
    folder.write("both.preds", "main local:\n  x < 0\n  n == 0\n");
    folder.write("one.preds", "main local: x < 0\n");
    let run = |predicates: &str| {
        folder.run(&[
            "check",
            "--property",
            "unreach-call",
            "--analysis",
            "nex",
            "--numeric-vars",
            "",
            "--predicates",
            predicates,
            "flag.c",
        ])
    };
    run("both.preds").expect(0).prints("RESULT: true");
    run("one.preds").expect(5).prints("RESULT: unknown(imprecise");
}

#[test]
fn predicates_with_mistakes() {
    let folder = Folder::new("numpred_mistakes");
    folder.write("figure2.c", FIGURE_2A);
    let cases = [
        ("main local: z == 1\n", "bad.preds:1", "no variable `z`"),
        ("# p\nmain local:\n  B[y1] == 1\n", "bad.preds:3", "no array `B`"),
        ("main local: A[y1 == 1\n", "bad.preds:1", "ends too early"),
        ("main exit: old(y1) == 1\n", "bad.preds:1", "no variable `old`"),
    ];
    for (text, place, what) in cases {
        folder.write("bad.preds", text);
        folder
            .run(&[
                "check",
                "--property",
                "unreach-call",
                "--analysis",
                "nex",
                "--predicates",
                "bad.preds",
                "figure2.c",
            ])
            .expect(2)
            .says(place)
            .says(what);
    }
    folder
        .run(&["check", "--property", "unreach-call", "--analysis", "nex", "--predicates", "none.preds", "figure2.c"])
        .expect(1)
        .says("cannot read 'none.preds'");
}
