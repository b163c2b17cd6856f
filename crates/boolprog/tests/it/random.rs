//! Random programs: the oracle against everything else.

use crate::support::program;
use robusto_boolprog::bdd::Solver;
use robusto_boolprog::explicit::{self, Frame, Reduction};
use robusto_boolprog::program::{NodeId, Op, VarId};
use robusto_boolprog::replay::{Machine, Step};
use robusto_boolprog::{Engine, Facts, Program, Question, Targets, check};
use robusto_limits::{Limits, Progress};
use robusto_testing::Random;
use robusto_verdict::{Certification, Verdict};
use std::fmt::Write as _;

/// Programs per run.
const PROGRAMS: u64 = 2000;

/// A program as text.
pub struct Generator {
    random: Random,
    procedures: Vec<(usize, usize)>,
    /// Names in scope.
    scope: Vec<String>,
    /// Labels of the procedure so far.
    labels: usize,
    recursive: bool,
    current: usize,
    out: String,
}

impl Generator {
    pub fn program(seed: u64) -> String {
        let mut random = Random::new(seed);
        let recursive = random.one_in(2);
        let globals = 1 + random.below(3usize);
        let count = 1 + random.below(3usize);
        let mut procedures: Vec<(usize, usize)> = vec![(0, 0)];
        procedures.extend((1..count).map(|_| (random.below(3usize), random.below(3usize))));
        let (scope, out) = (Vec::new(), String::new());
        let mut generator = Self { random, procedures, scope, labels: 0, recursive, current: 0, out };
        let names: Vec<String> = (0..globals).map(|i| format!("g{i}")).collect();
        let _ = writeln!(generator.out, "decl {};", names.join(", "));
        for i in 0..count {
            generator.procedure(i, &names);
        }
        generator.out
    }

    fn procedure(&mut self, number: usize, globals: &[String]) {
        let (formals, results) = self.procedures[number];
        let formals: Vec<String> = (0..formals).map(|i| format!("p{i}")).collect();
        let locals: Vec<String> = (0..self.random.below(3usize)).map(|i| format!("l{i}")).collect();
        self.scope = globals.iter().chain(&formals).chain(&locals).cloned().collect();
        (self.labels, self.current) = (0, number);
        let name = if number == 0 { "main".to_owned() } else { format!("f{number}") };
        let _ = writeln!(self.out, "bool<{results}> {name}({}) begin", formals.join(", "));
        if !locals.is_empty() {
            let _ = writeln!(self.out, "decl {};", locals.join(", "));
        }
        if self.random.one_in(8) {
            let condition = self.expression(2);
            let _ = writeln!(self.out, "enforce {condition};");
        }
        let length = 2 + self.random.below(4usize);
        self.block(length, 2);
        if number == 0 {
            let condition = self.expression(2);
            let _ = writeln!(self.out, "assert({condition} | {});", self.random.pick(&self.scope));
        }
        if results > 0 && !self.random.one_in(4) {
            let values = self.expressions(results);
            let _ = writeln!(self.out, "return {values};");
        }
        self.out.push_str("end\n");
    }

    fn block(&mut self, length: usize, depth: usize) {
        for _ in 0..length {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let text = match self.random.below(16) {
            0..=3 => {
                let count = 1 + self.random.below(2usize.min(self.scope.len()));
                let first = self.random.below(self.scope.len());
                let targets: Vec<String> =
                    (0..count).map(|i| self.scope[(first + i) % self.scope.len()].clone()).collect();
                let values = self.expressions(count);
                let constrain = if self.random.one_in(5) {
                    let (one, other) = (self.random.pick(&self.scope), self.random.pick(&self.scope));
                    format!(" constrain '{one} {} {other}", self.random.pick(&["|", "=", "!=", "=>"]))
                } else {
                    String::new()
                };
                format!("{} := {values}{constrain}", targets.join(", "))
            }
            4 => format!("assume({})", self.expression(1)),
            5 => format!("dead {}", self.random.pick(&self.scope)),
            6 => format!("assert({} | {})", self.expression(2), self.expression(1)),
            7 | 8 if depth > 0 => {
                let condition = self.expression(2);
                let _ = writeln!(self.out, "if {condition} then");
                let length = 1 + self.random.below(2usize);
                self.block(length, depth - 1);
                if self.random.one_in(2) {
                    self.out.push_str("else\n");
                    self.block(length, depth - 1);
                }
                "fi".to_owned()
            }
            9 if depth > 0 => {
                let condition = self.expression(2);
                let _ = writeln!(self.out, "while {condition} do");
                let length = 1 + self.random.below(2usize);
                self.block(length, depth - 1);
                "od".to_owned()
            }
            10 if self.labels > 0 => format!("if * then goto L{}; fi", self.random.below(self.labels)),
            11 => {
                self.labels += 1;
                format!("L{}: skip", self.labels - 1)
            }
            12..=15 => self.call(),
            _ => "skip".to_owned(),
        };
        let _ = writeln!(self.out, "{text};");
    }

    fn call(&mut self) -> String {
        let first = if self.recursive { 0 } else { self.current + 1 };
        if first >= self.procedures.len() {
            return "skip".to_owned();
        }
        let callee = first + self.random.below(self.procedures.len() - first);
        let (formals, results) = self.procedures[callee];
        let args = self.expressions(formals);
        let name = if callee == 0 { "main".to_owned() } else { format!("f{callee}") };
        if results == 0 || self.random.one_in(6) {
            return format!("{name}({args})");
        }
        let start = self.random.below(self.scope.len());
        let mut targets: Vec<String> =
            (0..results).map(|i| self.scope.get((start + i) % self.scope.len()).cloned().unwrap_or_default()).collect();
        targets.dedup();
        targets.resize(results, "_".to_owned());
        if self.random.one_in(6) {
            targets[0] = "_".to_owned();
        }
        format!("{} := {name}({args})", targets.join(", "))
    }

    fn expressions(&mut self, count: usize) -> String {
        (0..count).map(|_| self.expression(2)).collect::<Vec<_>>().join(", ")
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(8) {
                0 => "*".to_owned(),
                1 => self.random.pick(&["T", "F"]).to_owned(),
                2 => format!("!{}", self.random.pick(&self.scope)),
                _ => self.random.pick(&self.scope),
            };
        }
        let (one, other) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(8) {
            0 => format!("schoose[{one}, {other}]"),
            1 => format!("({one} ? {other} : {})", self.expression(depth - 1)),
            _ => format!("({one} {} {other})", self.random.pick(&["&", "|", "^", "=>", "=", "!="])),
        }
    }
}

fn mask(vars: impl IntoIterator<Item = VarId>) -> Frame {
    vars.into_iter().fold(0, |mask, var| mask | (1 << var.index()))
}

/// Path edges, and with them summaries, agree between the oracle on whole states, the oracle on live ones, and the diagrams.
fn compare(program: &Program, seed: u64, text: &str) {
    let facts = Facts::new(program);
    let none = Targets::default();
    let (limits, progress) = (Limits::none(), Progress::default());
    let explored = |reduction| explicit::explore(program, reduction, &none, &limits, &progress).expect("no limit");
    let oracle = explored(Reduction::none(program));
    let live = explored(Reduction::live(program, &facts));
    let mut solver = Solver::new(program, &facts);
    solver.run(&none, &limits, &progress).expect("no limit");
    for (id, procedure) in program.numbered() {
        let inputs = mask(facts.entry(program, id));
        for node in (0..procedure.outgoing.len()).map(|i| NodeId(i as u32)) {
            let expected = oracle.relation(id, node, inputs, mask(facts.live(id, node).iter()));
            let place = || format!("seed {seed}, {} {node:?}:\n{text}", procedure.name);
            assert_eq!(live.relation(id, node, Frame::MAX, Frame::MAX), expected, "{}", place());
            assert_eq!(solver.count(id, node), expected.len() as f64, "{}", place());
            for &(entry, now) in &expected {
                // What is the same as at the entry may be dead here.
                let unchanged = entry & !mask(facts.changed(id).iter());
                let contains = solver.contains(
                    id,
                    node,
                    |var| entry & (1 << var.index()) != 0,
                    |var| (now | unchanged) & (1 << var.index()) != 0,
                );
                assert!(contains, "{entry:b} {now:b} {}", place());
            }
        }
    }
}

#[test]
fn engines_agree() {
    let mut violated = 0;
    for seed in 0..PROGRAMS {
        let text = Generator::program(seed);
        let program = program(&text);
        compare(&program, seed, &text);
        let verdicts = [Engine::Explicit, Engine::Bdd].map(|engine| {
            let report = check(&program, &Question::Assert, engine, &Limits::none(), &Progress::default());
            match report.verdict {
                Verdict::True => {
                    let certified = matches!(report.certification, Certification::Yes { .. });
                    assert!(certified, "seed {seed}, {engine}: {:?}\n{text}", report.certification);
                    false
                }
                Verdict::False(_) => true,
                Verdict::Unknown(reason) => panic!("seed {seed}, {engine}: {reason}\n{text}"),
            }
        });
        assert_eq!(verdicts[0], verdicts[1], "seed {seed}:\n{text}");
        violated += u64::from(verdicts[0]);
    }
    let share = violated * 100 / PROGRAMS;
    assert!((30..=70).contains(&share), "{share} % are violated");
}

/// Whatever the interpreter executes, the oracle has reached.
#[test]
fn executions_stay_within_the_oracle() {
    const WALKS: u64 = 20;
    const STEPS: usize = 60;
    let mut returns = 0;
    for seed in 0..300 {
        let text = Generator::program(seed);
        let program = program(&text);
        let main = program.main.expect("a main");
        let (limits, progress) = (Limits::none(), Progress::default());
        let reduction = Reduction::none(&program);
        let oracle = explicit::explore(&program, reduction, &Targets::default(), &limits, &progress).expect("no limit");
        for walk in 0..WALKS {
            let mut random = Random::new(seed * WALKS + walk);
            let start: Vec<bool> = (0..program.frame_size(main)).map(|_| random.one_in(2)).collect();
            // Results have no value before the return; the oracle calls that false.
            let results = program.frame_size(main) - program.procedure(main).results as usize;
            let start: Vec<bool> = start.into_iter().enumerate().map(|(i, value)| value && i < results).collect();
            let mut machine = Machine::start(&program, &start).expect("a frame of main");
            for _ in 0..STEPS {
                let Some((id, node)) = machine.place() else { break };
                let bits = (0..program.frame_size(id)).filter(|&i| machine.value(VarId(i as u32)));
                let frame = bits.fold(0, |frame: Frame, i| frame | (1 << i));
                let reached = oracle.relation(id, node, 0, Frame::MAX);
                assert!(reached.contains(&(0, frame)), "seed {seed}, walk {walk}, {node:?}, {frame:b}:\n{text}");
                let outgoing = &program.procedure(id).outgoing[node.index()];
                let taken = (0..6).any(|_| {
                    if outgoing.is_empty() {
                        return false;
                    }
                    let edge_id = random.pick(outgoing);
                    let edge = program.procedure(id).edge(edge_id);
                    let mut bits = |count: usize| (0..count).map(|_| random.one_in(2)).collect();
                    let locals = match edge.op {
                        Op::Call { callee, .. } => bits(program.locals(callee).count()),
                        _ => Vec::new(),
                    };
                    returns += u64::from(matches!(edge.op, Op::Return(_)) && machine.depth() > 0);
                    machine.step(&Step { edge: edge_id, choices: bits(edge.choices as usize), locals }).is_ok()
                });
                if !taken {
                    break;
                }
            }
        }
    }
    assert!(returns > 1000, "only {returns} returns");
}
