//! `--analysis predicate` and `impact`: the options of the paper's discussion, from the command line.

mod support;

use support::Folder;

/// Figure 1 of Beyer, Keremoglu, Wendler, FMCAD 2010.
const FIGURE_1: &str = "extern void reach_error(void);
int main() {
  int i = 0;
  while (i < 2) {
    i++;
  }
  if (i != 2) {
    reach_error();
  }
}
";

const PREDICATES: &str = "main local:\n  i == 0\n  i == 1\n  i == 2\n";

fn figure_1(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("figure1.c", FIGURE_1);
    folder.write("all.preds", PREDICATES);
    folder
}

/// The formulas of the abstraction states in a drawing.
fn formulas(folder: &Folder, file: &str) -> Vec<String> {
    let dot = std::fs::read_to_string(folder.path(file)).expect("the graph is drawn");
    let shaded = dot.lines().filter(|line| line.contains("fillcolor=\"#d0d7de\""));
    shaded.map(str::to_owned).collect()
}

/// Figures 3 and 4: with the paper's predicates large blocks have an abstraction state for i = 0, 1 and 2, blocks of length 7 have one for
/// i = 1 or 2.
#[test]
fn figures_3_and_4_with_the_papers_predicates() {
    let folder = figure_1("predicate_figures");
    let common = ["check", "--analysis", "predicate", "--invariants", "none", "--predicates", "all.preds"];
    let large = ["--block", "lbe", "--arg", "figure3.dot", "figure1.c"];
    folder
        .run(&[&common[..], &large].concat())
        .expect(0)
        .prints("RESULT: true")
        .prints("refinements                 0");
    let figure_3 = formulas(&folder, "figure3.dot").join("\n");
    for i in 0..3 {
        assert!(figure_3.contains(&format!("i == {i}")), "i == {i} in {figure_3}");
    }
    let seven = ["--block", "k:7", "--merge", "block", "--arg", "figure4.dot", "figure1.c"];
    folder
        .run(&[&common[..], &seven].concat())
        .expect(0)
        .prints("RESULT: true")
        .prints("refinements                 0");
    let figure_4 = formulas(&folder, "figure4.dot").join("\n");
    assert!(figure_4.contains("i == 1 != (main::i == 2)"), "one of the two, in {figure_4}");
}

/// Predicates of a file are not added to.
#[test]
fn predicates_that_do_not_suffice() {
    let folder = figure_1("predicate_fixed");
    folder.write("one.preds", "main local: i == 0\n");
    folder
        .run(&["check", "--analysis", "predicate", "--invariants", "none", "--predicates", "one.preds", "figure1.c"])
        .expect(5)
        .prints("RESULT: unknown(imprecise");
}

#[test]
fn blocks_by_memory() {
    let folder = figure_1("predicate_memory");
    for size in ["memory:1", "memory:100"] {
        folder
            .run(&["check", "--analysis", "predicate", "--block", size, "figure1.c"])
            .expect(0)
            .prints("RESULT: true");
    }
    folder.run(&["check", "--analysis", "predicate", "--block", "memory:0", "figure1.c"]).expect(1);
}

/// Where predicates come from, where they are tracked, and what labels are: all prove the program.
#[test]
fn refinements_of_each_kind() {
    let folder = figure_1("predicate_refinements");
    for options in [
        &["predicate", "--interpolation", "wp"][..],
        &["predicate", "--interpolation", "craig"],
        &["predicate", "--precision", "between", "--block", "k:3"],
        &["impact", "--interpolation", "craig"],
        &["impact", "--labels", "interpolants"],
    ] {
        let arguments = [&["check", "--invariants", "none", "figure1.c", "--analysis"], options].concat();
        folder.run(&arguments).expect(0).prints("RESULT: true").prints("certified: yes");
    }
}
