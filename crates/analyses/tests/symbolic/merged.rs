//! Formulas that merge at every join, against the interpreter and against brute force over the inputs.

use crate::follow::compile;
use crate::random::{Shape, program};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{DataModel, Ty, VarId};
use robusto_cpa::control::{Location, StackId};
use robusto_cpa::{Analysis, Arg, Composite, Merge, Order, Run, Step, explore};
use robusto_interp::inputs::Request;
use robusto_interp::{Change, Code, Config, EdgeRef, Inputs, Machine, Observer, Outcome, Streams, View};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Evaluator, Model, Solver, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// One formula per location and call stack.
struct Merged<'f> {
    encoder: Encoder<'f>,
    /// The choice symbols of `Havoc` edges.
    inputs: BTreeMap<EdgeRef, Symbol>,
    errors: Vec<Term>,
}

impl Analysis for Merged<'_> {
    type State = PathFormula;

    fn initial(&mut self) -> Result<PathFormula, Stopped> {
        Ok(self.encoder.initial())
    }

    fn transfer(&mut self, state: &PathFormula, step: Step) -> Result<Option<PathFormula>, Stopped> {
        if let Some(choice) = self.encoder.choice(state, step) {
            let (function, edge) = step.edge_ref();
            let symbol = self.encoder.terms.as_symbol(choice).expect("a symbol");
            let old = self.inputs.insert(EdgeRef { function, edge }, symbol);
            assert!(old.is_none(), "every location is expanded once");
        }
        let next = self.encoder.step(state, step)?;
        if let Some(next) = &next
            && step.is_error(&self.encoder.facts().program)
        {
            self.errors.push(next.guard);
        }
        Ok(next)
    }

    fn merge(&mut self, new: &PathFormula, old: &PathFormula, _: Location) -> Result<Merge<PathFormula>, Stopped> {
        Ok(Merge::Replace(self.encoder.merge(old, new)))
    }

    fn stop(&self, _: &PathFormula, _: &PathFormula) -> Result<bool, Stopped> {
        Ok(true)
    }
}

/// Inputs as digits below [`DIGITS`]; missing ones are 0.
struct Digits<'d> {
    digits: &'d mut Vec<u8>,
    asked: Vec<(EdgeRef, u8)>,
}

const DIGITS: u8 = 4;

impl Inputs for Digits<'_> {
    fn value(&mut self, request: Request) -> u128 {
        let position = self.asked.len();
        if self.digits.len() == position {
            self.digits.push(0);
        }
        self.asked.push((request.at, self.digits[position]));
        self.digits[position].into()
    }
}

/// The next combination of inputs; `None` after the last one.
fn advance(digits: &mut Vec<u8>) -> Option<()> {
    while let Some(last) = digits.last_mut() {
        *last += 1;
        if *last < DIGITS {
            return Some(());
        }
        digits.pop();
    }
    None
}

/// Compares the interpreter's variables with the merged formulas of the locations it passes.
struct Comparison<'a, 'f> {
    cpa: &'a mut Composite<'f, Merged<'f>>,
    arg: &'a Arg<PathFormula>,
    /// Values that await the model.
    expected: Vec<(Term, Term, VarId, u128)>,
}

impl Observer for Comparison<'_, '_> {
    fn step(&mut self, view: &View<'_>, at: EdgeRef, _: Change) {
        let facts = self.cpa.data.encoder.facts();
        let program = &facts.program;
        if view.depth > 0 || at.function != view.function {
            return;
        }
        let loc = program.functions[at.function].edge(at.edge).dst;
        let nodes = self.arg.at((Location { function: at.function, loc }, StackId::EMPTY, (0, 0)));
        assert_eq!(nodes.len(), 1, "one state per location");
        let state = &self.arg.node(nodes[0]).state.data;
        for var in facts.liveness.at(at.function, loc).iter() {
            if program.vars[var].ty != Ty::Ptr
                && let Some(value) = view.var(var)
            {
                let term = self.cpa.data.encoder.value(state, Cell::Var(var, 0));
                self.expected.push((state.guard, term, var, value));
            }
        }
    }
}

struct Statistics {
    errors: usize,
    safe: usize,
    runs: usize,
}

fn compare(text: &str, statistics: &mut Statistics, comparisons: usize) {
    let facts = Facts::of(compile(text, DataModel::Lp64));
    let main = facts.program.main.expect("main");
    let data = Merged { encoder: Encoder::new(&facts), inputs: BTreeMap::new(), errors: Vec::new() };
    let mut cpa = Composite::new(&facts.program, data, &facts, 10);
    let (exploration, run) = explore(&mut cpa, main, Order::ReversePostOrder, |_| ControlFlow::Continue(()));
    assert!(matches!(run, Run::Complete), "{run:?}\n{text}");
    assert!(cpa.data.encoder.approximations().next().is_none(), "{text}");
    let code = Code::new(&facts.program);
    let (mut digits, mut reached, mut runs) = (Vec::new(), false, 0);
    loop {
        let mut inputs = Digits { digits: &mut digits, asked: Vec::new() };
        let mut comparison = Comparison { cpa: &mut cpa, arg: &exploration.arg, expected: Vec::new() };
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let outcome = if runs < comparisons {
            Machine::new(&facts.program, &code, Config::default(), &mut inputs, &mut comparison, streams)
                .expect("it can start")
                .run()
        } else {
            Machine::new(&facts.program, &code, Config::default(), &mut inputs, robusto_interp::Silent, streams)
                .expect("it can start")
                .run()
        };
        let (asked, expected) = (inputs.asked, comparison.expected);
        let mut model = Model::new();
        for (edge, value) in asked {
            model.set(cpa.data.inputs[&edge], value.into());
        }
        let mut evaluator = Evaluator::new(&cpa.data.encoder.terms, &model);
        for (guard, term, var, value) in expected {
            assert_eq!(evaluator.value(guard), 1, "the guard holds\n{text}");
            let name = &facts.program.vars[var].name;
            assert_eq!(evaluator.value(term), value, "{name} with {digits:?}\n{text}");
        }
        reached |= match outcome {
            Outcome::ErrorReached { .. } => true,
            Outcome::Exited(0) => false,
            other => panic!("{}\n{text}", other.describe(&facts.program)),
        };
        runs += 1;
        if runs >= 3000 || advance(&mut digits).is_none() {
            break;
        }
    }
    statistics.runs += runs;
    let errors = cpa.data.errors.clone();
    let encoder = &mut cpa.data.encoder;
    let error = encoder.terms.or_all(&errors);
    let mut solver = Solver::new(&Limits::none());
    let answer = solver.check(&mut encoder.terms, &[error]).expect("nobody cancels");
    let possible = answer == robusto_logic::Answer::Sat;
    if runs < 3000 {
        assert_eq!(possible, reached, "solver against brute force\n{text}");
    }
    if !possible {
        assert!(!reached, "{text}");
        statistics.safe += 1;
        return;
    }
    statistics.errors += 1;
    let model = solver.model(&encoder.terms);
    let mut replay = Replay { model: &model, inputs: &cpa.data.inputs };
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let streams = Streams { out: &mut out, err: &mut err };
    let outcome = Machine::new(&facts.program, &code, Config::default(), &mut replay, robusto_interp::Silent, streams)
        .expect("it can start")
        .run();
    assert!(matches!(outcome, Outcome::ErrorReached { .. }), "{}\n{text}", outcome.describe(&facts.program));
}

/// The inputs that a model names.
struct Replay<'m> {
    model: &'m Model,
    inputs: &'m BTreeMap<EdgeRef, Symbol>,
}

impl Inputs for Replay<'_> {
    fn value(&mut self, request: Request) -> u128 {
        self.model.get(self.inputs[&request.at])
    }
}

#[test]
fn merged_formulas_agree_with_brute_force() {
    let mut statistics = Statistics { errors: 0, safe: 0, runs: 0 };
    for seed in 0..150 {
        let shape = if seed % 2 == 0 { Shape::Straight } else { Shape::Calls };
        let condition = match seed % 5 {
            0 => "((x ^ y ^ z) & 7) == 5",
            1 => "*lp == *gp + 1",
            2 => "sp->a > 100 && local[2] != 9",
            3 => "((table[1] + bytes[2] + mix.w) & 3) == 1",
            _ => "*one.p == arr[x & 1].a",
        };
        let text = program(seed, shape, &format!("if ({condition}) __VERIFIER_error();"));
        // Few values per input, whatever the input's type.
        let text = text.replace("= __VERIFIER_nondet_int();", "= __VERIFIER_nondet_uchar() & 3;");
        let text = text.replace("= __VERIFIER_nondet_uchar();", "= __VERIFIER_nondet_uchar() & 3;");
        compare(&text, &mut statistics, 6);
    }
    let Statistics { errors, safe, runs } = statistics;
    assert!(errors > 20 && safe > 20 && runs > 1000, "{errors} with errors, {safe} without, {runs} runs");
}

/// Blocks of tests are one step each, with the same meaning.
#[test]
fn blocks_of_tests_are_exact() {
    let text = "
        extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_error(void);
        int main() {
            int a = __VERIFIER_nondet_uchar() & 3, b = __VERIFIER_nondet_uchar() & 3, c = 0;
            if ((a == 1 && b != 2) || (a > 2 && (b < 1 || a == b))) c = 1;
            if (c && a == 3 && b == 3) __VERIFIER_error();
        }";
    let facts = Facts::of(compile(text, DataModel::Lp64));
    let main = facts.program.main.expect("main");
    let mut guards = Vec::new();
    for blocks in [false, true] {
        let data = Merged { encoder: Encoder::new(&facts), inputs: BTreeMap::new(), errors: Vec::new() };
        let mut cpa = Composite::new(&facts.program, data, &facts, 10);
        if blocks {
            cpa = cpa.with_blocks(robusto_cpa::blocks::find(&facts.program));
        }
        let (_, run) = explore(&mut cpa, main, Order::ReversePostOrder, |_| ControlFlow::Continue(()));
        assert!(matches!(run, Run::Complete));
        assert_eq!(cpa.data.errors.len(), 1);
        let inputs: Vec<Symbol> = cpa.data.inputs.values().copied().collect();
        let mut table = Vec::new();
        for a in 0..4u128 {
            for b in 0..4u128 {
                let mut model = Model::new();
                model.set(inputs[0], a);
                model.set(inputs[1], b);
                table.push(cpa.data.encoder.terms.evaluate(cpa.data.errors[0], &model));
            }
        }
        guards.push(table);
    }
    assert_eq!(guards[0], guards[1]);
    assert_eq!(guards[0].iter().sum::<u128>(), 1);
}

/// Merges over visits whose guards are all `true` lose no visit, also where one is derived from an earlier merge.
#[test]
fn merged_visits_are_all_kept() {
    let facts = Facts::of(compile("int x; int main() { x = 0; return x; }", DataModel::Lp64));
    let mut encoder = Encoder::new(&facts);
    let x = facts.program.vars.enumerate().find(|(_, v)| &*v.name == "x").map(|(id, _)| id).expect("x is declared");
    let mut first = encoder.initial();
    first.env.insert(Cell::Var(x, 0), encoder.terms.constant(32, 0));
    let one = encoder.terms.constant(32, 1);
    let mut merged = first.clone();
    for _ in 0..3 {
        let mut next = merged.clone();
        let value = encoder.terms.add(merged.env[&Cell::Var(x, 0)], one);
        next.env.insert(Cell::Var(x, 0), value);
        merged = encoder.merge_visits(&first, &next);
        assert!(encoder.terms.is_true(merged.guard));
    }
    let value = merged.env[&Cell::Var(x, 0)];
    let choices = encoder.terms.symbols(value);
    let mut values = BTreeSet::new();
    for bits in 0..1u32 << choices.len() {
        let mut model = Model::new();
        for (i, &choice) in choices.iter().enumerate() {
            model.set(choice, u128::from(bits >> i & 1));
        }
        values.insert(encoder.terms.evaluate(value, &model));
    }
    assert_eq!(values, BTreeSet::from([0, 1, 2, 3]));
}
