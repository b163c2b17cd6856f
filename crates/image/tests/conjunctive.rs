//! The conjunctive methods reach what the disjunctive one reaches, in as many frames.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_diagram::{Bdd, Reordering, VarIndex};
use robusto_image::circuit::Circuit;
use robusto_image::conjunctive::{self, Arrangement};
use robusto_image::disjunctive::{self, Traversal};
use robusto_image::model::{self, Model};
use robusto_image::search::{Method, Options, Reached, explore};
use robusto_image::space::Space;
use robusto_image::steps::{Step, Steps};
use robusto_limits::{Limits, Progress};

const PRELUDE: &str = "extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_error(void);\n";

/// Programs with calls, arrays, pointers and inputs.
const PROGRAMS: [&str; 4] = [
    "unsigned char a[3]; int main() { unsigned char i = 0; for (;;) { a[i] = __VERIFIER_nondet_uchar() & 3;
       if (a[i] > a[0] + 3) __VERIFIER_error(); i = (i + 1) % 3; } }",
    "unsigned char g; unsigned char step(unsigned char x) { g ^= x; return x + g; }
     int main() { unsigned char x = __VERIFIER_nondet_uchar() & 7; while (x < 40) { x = step(x) & 63; }
       if (g == 5 && x == 41) __VERIFIER_error(); return 0; }",
    "unsigned char x, y, *p = &x; int main() { while (__VERIFIER_nondet_uchar()) { *p = (*p + 3) & 15; p = *p & 1 ? &y : &x;
       if (x + y == 30) __VERIFIER_error(); } return 0; }",
    "int main() { unsigned char s = 0, n = 0; for (;;) { unsigned char c = __VERIFIER_nondet_uchar();
       switch (s) { case 0: if (c == 10) { s = 1; n = 0; } break; case 1: n++; if (n == 5) s = 2; break;
       case 2: if (c > n) s = 0; else if (n != 5) __VERIFIER_error(); break; } } }",
];

struct Case {
    model: Model,
    circuit: Circuit,
    space: Space,
}

impl Case {
    fn new(body: &str, narrow: bool) -> Self {
        let mut sources = robusto_syntax::SourceMap::new();
        let file = sources.add("test.c", format!("{PRELUDE}{body}")).expect("small");
        let (program, _) = robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(DataModel::Lp64))
            .unwrap_or_else(|errors| panic!("{}\n{body}", errors[0].render(&sources)));
        let options = model::Options { narrow, ..model::Options::default() };
        let mut model = Model::of(&Facts::of(program), None, &options, &Limits::none()).expect("small");
        let circuit = Circuit::of(&mut model, &Limits::none()).expect("small");
        let space = Space::new(&model, &circuit, Some(Reordering::default()), Options::default().store);
        Self { model, circuit, space }
    }

    /// All that is reached, and in how many frames.
    fn reach(&self, method: Method, forget_dead: bool) -> (Box<dyn Reached + '_>, Vec<Step>) {
        let (limits, progress) = (Limits::none(), Progress::default());
        let options = Options { method, forget_dead, ..Options::default() };
        let mut rounds = Vec::new();
        let mut observer = |step: &Step| rounds.push(*step);
        let mut steps = Steps::with(Some(&mut observer));
        let Self { model, circuit, space } = self;
        let reached = explore(model, circuit, space, &options, &limits, &progress, &mut steps, &mut |_| false);
        (reached.expect("small"), rounds)
    }

    /// A set, as far as words are live.
    fn live(&self, location: usize, set: &Bdd) -> Bdd {
        let dead = (0..self.model.words.len()).filter(|&word| !self.model.live[location].contains(word));
        let dead: Vec<VarIndex> = dead.flat_map(|word| self.space.now[word].iter().copied()).collect();
        let diagrams = &self.space.diagrams;
        diagrams.exists(set, &diagrams.cube(&dead).expect("small")).expect("small")
    }
}

fn frames() -> Method {
    Method::Disjunctive(disjunctive::Options { traversal: Traversal::Fbf, ..disjunctive::Options::default() })
}

/// All conjunctive methods.
fn methods() -> Vec<conjunctive::Options> {
    let of = |arrangement, cluster_limit, reset_dead| conjunctive::Options { arrangement, cluster_limit, reset_dead };
    vec![
        of(Arrangement::Monolithic, 0, false),
        of(Arrangement::Iwls95, 0, false),
        of(Arrangement::Iwls95, 500, false),
        of(Arrangement::Mlp, 0, false),
        of(Arrangement::Mlp, 500, false),
        of(Arrangement::Mlp, 5000, true),
        of(Arrangement::PerVariable, 0, false),
    ]
}

#[test]
fn sets_and_frames_are_those_of_disjunctive_images() {
    for (body, narrow) in PROGRAMS.iter().flat_map(|body| [(body, true), (body, false)]) {
        let case = Case::new(body, narrow);
        for forget_dead in [true, false] {
            let (expected, frames) = case.reach(frames(), forget_dead);
            for options in methods() {
                let (found, rings) = case.reach(Method::Conjunctive(options.clone()), forget_dead);
                for location in 0..case.model.places.len() {
                    let [a, b] = [&expected, &found].map(|r| case.live(location, &r.at(location).expect("small")));
                    assert!(a == b, "location {location}, {options:?}, forget {forget_dead}\n{body}");
                    if found.contains(location) {
                        follow(&case.model, &found.trace(location, &Limits::none()).expect("small"), location);
                    }
                }
                // What is reset is not kept, whatever was asked for; sinks are states here and flags there.
                if !options.reset_dead || forget_dead {
                    let sinks_last = forget_dead as usize;
                    assert!(rings.len().abs_diff(frames.len()) <= 1 + sinks_last, "{options:?}\n{body}");
                }
                assert!(rings.iter().all(|step| step.live >= step.reached && step.peak >= step.live));
            }
        }
    }
}

/// A trace is connected and ends where it should.
fn follow(model: &Model, trace: &[(usize, usize)], location: usize) {
    let mut at = 0;
    for &(from, exit) in trace {
        assert_eq!(from, at);
        at = model.exits[from][exit].to;
    }
    assert_eq!(at, location);
}
