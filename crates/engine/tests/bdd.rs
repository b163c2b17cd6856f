//! The BDD analysis against explicit enumeration, and the example of the paper.

use robusto_analyses::bdd::Bdd;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::{Options, compile};
use robusto_cpa::control::{Location, StackId};
use robusto_cpa::{Composite, Order, Run, explore};
use robusto_engine::{Problem, bdd};
use robusto_limits::{Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_testing::Random;
use robusto_verdict::{Property, Report, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match compile(&mut sources, &[file], Options::new(DataModel::Lp64)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

fn check(text: &str, property: &Property, order: Order, blocks: bool) -> Report {
    let limits = Limits::new(None, None, Arc::default());
    let options = bdd::Options { order, blocks, traces: true, ..Default::default() };
    bdd::check(&Problem::new(program(text), property), &options, &limits, &Progress::default(), |_, _| {})
}

/// The reached set of Figure 1(b): line, edges that leave the location, set of data states. The two locations whose set is empty
/// (pc 11 and 17) are not in it, and neither is the error.
const FIGURE_1_REACHED: &str = "\
4 [a := 0]: true
5 [havoc in from uninit]: a == 0
7 [havoc t1 from external nondet]: a == 0
7 [in := t1]: a == 0
8 [assume in == 1 | assume not (in == 1)]: a == 0
8 [a := 3]: in == 1
9 [assume a == 3 | assume not (a == 3)]: a == 0 && in != 1 || a == 3 && in == 1
9 [assume in != 1 | assume not (in != 1)]: a == 3 && in == 1
10 [assume a == 0 | assume not (a == 0)]: a == 0 && in != 1 || a == 3 && in == 1
10 [assume in == 1 | assume not (in == 1)]: a == 0 && in != 1
11 [assume a != 0 | assume not (a != 0)]: true
11 [a := 0]: true
";

/// Figure 1 of the paper: two branches assign `a`, and the error needs a combination that does not exist.
const FIGURE_1: &str = "
    extern int nondet(void);
    int main() {
        int a = 0;
        int in;
        while (1) {
            in = nondet();
            if (in == 1) { a = 3; }
            if (a == 3 && in != 1) { if (a == 0) goto ERROR; }
            if (a == 0 && in == 1) goto ERROR;
            if (a != 0) a = 0;
        }
        ERROR: return 1;
    }";

#[test]
fn figure_1() {
    let mut program = program(FIGURE_1);
    robusto_engine::property::instrument(&mut program, &Property::Label("ERROR".to_owned()));
    let facts = Facts::of(program);
    let analysis = Bdd::new(&facts, Default::default(), &Limits::none()).expect("room");
    let mut cpa = Composite::new(&facts.program, analysis, &facts, 10);
    let main = facts.program.main.expect("main");
    let (exploration, run) = explore(&mut cpa, main, Order::ReversePostOrder, |_| ControlFlow::Continue(()));
    assert!(matches!(run, Run::Complete), "{run:?}");
    let function = &facts.program.functions[main];
    // No error edge is reached: both its guards evaluate to false.
    let error = robusto_engine::property::targets(&facts.program);
    assert_eq!(error.len(), 1);
    let error_at = function.edge(robusto_engine::property::edge_of(&error[0]).1).src;
    assert!(exploration.arg.at((Location { function: main, loc: error_at }, StackId::EMPTY, (0, 0))).is_empty());
    // The reached set: at most one abstract state for each location, with the sets of Figure 1(b).
    let mut reached = String::new();
    for loc in function.locs() {
        let nodes = exploration.arg.at((Location { function: main, loc }, StackId::EMPTY, (0, 0)));
        assert!(nodes.len() <= 1, "at most one abstract state per location");
        let Some(&node) = nodes.first() else { continue };
        let set = cpa.data.show(&exploration.arg.node(node).state.data.all).expect("room");
        let (lines, ops): (Vec<String>, Vec<String>) = function
            .out(loc)
            .map(|(_, e)| (e.pos.line.to_string(), robusto_cfa::text::Names::new(&facts.program).op(&e.op).to_string()))
            .unzip();
        let _ = writeln!(reached, "{} [{}]: {set}", lines.first().map_or("end", String::as_str), ops.join(" | "));
    }
    assert_eq!(reached, FIGURE_1_REACHED);
}

/// A random program over `unsigned char` variables of few values, and a condition that is the error.
struct Machine {
    text: String,
    vars: usize,
    rules: Vec<(Cond, usize, Update)>,
    error: Cond,
}

#[derive(Clone, Copy)]
enum Cond {
    Equals(usize, u8),
    Less(usize, usize),
    SumIs(usize, usize, u8),
}

#[derive(Clone, Copy)]
enum Update {
    Constant(u8),
    Copy(usize),
    Add(usize, u8),
    Mul(usize, u8),
    Shift(usize, u8),
    Input,
}

impl Machine {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let vars = 2 + random.below(2usize);
        let var = |r: &mut Random| r.below(vars);
        let cond = |r: &mut Random| match r.below(3) {
            0 => Cond::Equals(var(r), r.below(8)),
            1 => Cond::Less(var(r), var(r)),
            _ => Cond::SumIs(var(r), var(r), r.below(16)),
        };
        let rules = (0..2 + random.below(4))
            .map(|_| {
                let guard = cond(&mut random);
                let target = var(&mut random);
                let update = match random.below(6) {
                    0 => Update::Constant(random.below(8)),
                    1 => Update::Copy(var(&mut random)),
                    2 => Update::Add(var(&mut random), random.below(4)),
                    3 => Update::Mul(var(&mut random), random.below(4)),
                    4 => Update::Shift(var(&mut random), random.below(3)),
                    _ => Update::Input,
                };
                (guard, target, update)
            })
            .collect();
        let error = cond(&mut random);
        let mut machine = Self { text: String::new(), vars, rules, error };
        machine.text = machine.c_text();
        machine
    }

    fn c_text(&self) -> String {
        let cond = |c: &Cond| match c {
            Cond::Equals(v, k) => format!("v{v} == {k}"),
            Cond::Less(a, b) => format!("v{a} < v{b}"),
            Cond::SumIs(a, b, k) => format!("((v{a} + v{b}) & 15) == {k}"),
        };
        let mut text =
            String::from("extern void __VERIFIER_error(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n");
        for v in 0..self.vars {
            let _ = writeln!(text, "unsigned char v{v} = {v};");
        }
        text.push_str("int main() {\n  while (1) {\n");
        for (guard, target, update) in &self.rules {
            let value = match update {
                Update::Constant(k) => k.to_string(),
                Update::Copy(v) => format!("v{v}"),
                Update::Add(v, k) => format!("(v{v} + {k}) & 7"),
                Update::Mul(v, k) => format!("(v{v} * {k}) & 7"),
                Update::Shift(v, k) => format!("v{v} >> {k}"),
                Update::Input => "__VERIFIER_nondet_uchar() & 7".to_owned(),
            };
            let _ = writeln!(text, "    if ({}) v{target} = {value};", cond(guard));
        }
        let _ = writeln!(text, "    if ({}) __VERIFIER_error();\n  }}\n}}", cond(&self.error));
        text
    }

    fn holds(c: Cond, state: &[u8]) -> bool {
        match c {
            Cond::Equals(v, k) => state[v] == k,
            Cond::Less(a, b) => state[a] < state[b],
            Cond::SumIs(a, b, k) => (state[a] + state[b]) & 15 == k,
        }
    }

    /// Whether the error is reachable, by enumeration.
    fn reaches_error(&self) -> bool {
        let start: Vec<u8> = (0..self.vars as u8).collect();
        let mut seen = BTreeSet::from([start.clone()]);
        let mut todo = vec![start];
        while let Some(state) = todo.pop() {
            let mut states = BTreeSet::from([state]);
            for &(guard, target, update) in &self.rules {
                let mut next = BTreeSet::new();
                for state in states {
                    if !Self::holds(guard, &state) {
                        next.insert(state);
                        continue;
                    }
                    let values: Vec<u8> = match update {
                        Update::Constant(k) => vec![k],
                        Update::Copy(v) => vec![state[v]],
                        Update::Add(v, k) => vec![(state[v] + k) & 7],
                        Update::Mul(v, k) => vec![state[v].wrapping_mul(k) & 7],
                        Update::Shift(v, k) => vec![state[v] >> k],
                        Update::Input => (0..8).collect(),
                    };
                    for value in values {
                        let mut changed = state.clone();
                        changed[target] = value;
                        next.insert(changed);
                    }
                }
                states = next;
            }
            for state in states {
                if Self::holds(self.error, &state) {
                    return true;
                }
                if seen.insert(state.clone()) {
                    todo.push(state);
                }
            }
        }
        false
    }
}

#[test]
fn random_programs_agree_with_enumeration() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..300 {
        let machine = Machine::random(seed);
        let order = [Order::BreadthFirst, Order::DepthFirst, Order::ReversePostOrder][seed as usize % 3];
        let report = check(&machine.text, &Property::UnreachCall, order, seed % 2 == 0);
        let expected = machine.reaches_error();
        match report.verdict {
            Verdict::False(_) if expected => unsafe_ += 1,
            Verdict::True if !expected => safe += 1,
            other => panic!("seed {seed}: {other:?}, enumeration says {expected}\n{}", machine.text),
        }
        assert!(report.approximations.is_empty(), "seed {seed} is exact\n{}", machine.text);
    }
    assert!(safe > 30 && unsafe_ > 30, "both verdicts occur: {safe} safe, {unsafe_} unsafe");
}

#[test]
fn all_properties_in_one_run() {
    let text = "
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_error(void);
        int s = 1;
        int main() {
            while (1) {
                int in = __VERIFIER_nondet_int();
                if (in == 1 && s == 1) s = 2;
                else if (in == 2 && s == 2) s = 3;
                if (s == 3) { error_1: return 0; }
                if (s == 4) { error_2: return 0; }
                if (s == 2 && in == 7) __VERIFIER_error();
            }
        }";
    let report = check(text, &Property::All, Order::ReversePostOrder, true);
    let verdicts: Vec<(&str, &str)> = report
        .findings
        .iter()
        .map(|f| {
            let verdict = match f.verdict {
                Verdict::True => "true",
                Verdict::False(_) => "false",
                Verdict::Unknown(_) => "unknown",
            };
            (f.target.name.as_str(), verdict)
        })
        .collect();
    assert_eq!(verdicts, [("error_1", "false"), ("error_2", "true"), ("error call in main", "false")]);
    let Verdict::False(cex) = &report.findings[0].verdict else { panic!("error_1 is reachable") };
    let inputs: Vec<&str> = cex.inputs.iter().map(|i| i.value.as_str()).collect();
    assert_eq!(inputs, ["1", "2"]);
}

#[test]
fn memory_is_over_approximated_but_never_wrong() {
    let text = "
        extern void __VERIFIER_error(void);
        extern int __VERIFIER_nondet_int(void);
        int main() {
            int a[4] = {1, 2, 3, 4};
            int i = __VERIFIER_nondet_int();
            if (i >= 0 && i < 4 && a[i] == 9) __VERIFIER_error();
        }";
    let report = check(text, &Property::UnreachCall, Order::ReversePostOrder, true);
    assert!(matches!(report.verdict, Verdict::Unknown(_)), "{:?}", report.verdict);
    assert!(!report.approximations.is_empty());
}

/// A gap between constants at a wide type may hold values of a narrow variable although its least value is none.
#[test]
fn narrow_variables_compared_at_a_wide_type() {
    let text = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
        int main() { int n = __VERIFIER_nondet_int();
            if ((long)n > 0L) return 0;
            if ((long)n == 0L) return 0;
            __VERIFIER_error(); return 0; }";
    let report = check(text, &Property::UnreachCall, Order::ReversePostOrder, true);
    assert!(matches!(report.verdict, Verdict::False(_)), "-1 violates it: {:?}", report.verdict);
}
