//! Random C programs that end, and all their executions.

use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::{Options, compile};
use robusto_engine::{Problem, bdd, certify, property};
use robusto_interp::inputs::Request;
use robusto_interp::{Code, Config, Inputs, Machine, Outcome, Silent, Streams};
use robusto_limits::{Cpu, Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_testing::{Random, thread_time};
use robusto_verdict::{Property, Reason, Report, Verdict};
use std::fmt::{Debug, Write as _};
use std::ops::Range;
use std::time::Duration;

/// Compiles C text.
pub fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match compile(&mut sources, &[file], Options::new(DataModel::Lp64)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

/// Whether the error is reachable, to be decided by an engine.
pub fn problem(text: &str) -> Problem {
    Problem::new(program(text), &Property::UnreachCall)
}

/// Enough for every test; a limit keeps a mistake from running for ever.
pub fn limits() -> Limits {
    cpu_limits(Duration::from_secs(60))
}

/// So much CPU time of this thread, however busy the machine is.
pub fn cpu_limits(time: Duration) -> Limits {
    Limits::none().with_cpu(Some(Cpu { most: thread_time() + time, used: || Some(thread_time()) }))
}

/// The report of an engine on whether the error is reachable; what it proves is certified.
pub fn certified(text: &str, options: &impl Debug, check: impl FnOnce(&Problem) -> Report) -> Report {
    let problem = problem(text);
    let report = check(&problem);
    if report.verdict == Verdict::True {
        let certificate = report.certificate.as_ref().expect("every true has one");
        if let Err(failure) = certify::check(&problem, certificate, &limits()) {
            panic!("{failure}\n{options:?}\n{certificate:?}\n{text}");
        }
    }
    report
}

/// Compares an engine with all executions of random programs: how many it proves, refutes, and has no time for.
pub fn against_executions(seeds: Range<u64>, check: impl Fn(u64, &str) -> Verdict) -> [usize; 3] {
    let mut count = [0; 3];
    for seed in seeds {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        count[match check(seed, &text) {
            Verdict::True if !expected => 0,
            Verdict::False(_) if expected => 1,
            Verdict::Unknown(Reason::Timeout | Reason::Memory) => 2,
            found => panic!("seed {seed}: {found:?}, and an error is reachable: {expected}\n{text}"),
        }] += 1;
    }
    count
}

/// Compares an engine with the BDD analysis on random programs that never end, and counts in the same way.
pub fn against_bdd(seeds: Range<u64>, check: impl Fn(u64, &str) -> Verdict) -> [usize; 3] {
    let mut count = [0; 3];
    for seed in seeds {
        let text = random_loop(seed);
        let expected =
            bdd::check(&problem(&text), &bdd::Options::default(), &limits(), &Progress::default(), |_, _| {});
        count[match (check(seed, &text), expected.verdict) {
            (Verdict::True, Verdict::True) => 0,
            (Verdict::False(_), Verdict::False(_)) => 1,
            (Verdict::Unknown(Reason::Timeout), _) => 2,
            (found, expected) => panic!("seed {seed}: {found:?} and not {expected:?}\n{text}"),
        }] += 1;
    }
    count
}

/// What every program starts with.
pub const PRELUDE: &str = "extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
";

/// Random C text: loops that end, calls, recursion, arrays, pointers, and at most three inputs of two bits.
pub fn random_text(seed: u64) -> String {
    random_with(seed, true)
}

/// The same without recursion.
pub fn random_flat_text(seed: u64) -> String {
    random_with(seed, false)
}

fn random_with(seed: u64, recursion: bool) -> String {
    let random = Random::new(seed);
    let mut g = Generator { random, text: PRELUDE.to_owned(), loops: 0, budget: 0, memory: true, recursion };
    g.memory = g.random.below(3) != 0;
    g.text.push_str("int left = 3, g0 = 1, g1, a[4] = {3, 1, 2};\nint *p = &a[1];\n");
    g.text.push_str("int in(void) { if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }\n");
    g.text.push_str("int r(int n, int m) { if (n <= 0) return m; g1 += n; return r(n - 1, m + n) + 1; }\n");
    g.text.push_str("int f(int x, int y) {\n  int z = x + 1;\n");
    g.budget = 4;
    g.block(&["x", "y", "z", "g0", "g1"], 1);
    let result = g.value(&["x", "y", "z", "g0"], 2);
    let _ = writeln!(g.text, "  return {result};\n}}");
    g.text.push_str("int main() {\n  int x = in(), y = 2, z = 0;\n");
    g.budget = 14;
    g.block(&["x", "y", "z", "g0", "g1"], 1);
    g.block(&["x", "y", "z", "g0", "g1"], 1);
    let cond = g.condition(&["x", "y", "z", "g0", "g1"]);
    let _ = writeln!(g.text, "  if ({cond}) __VERIFIER_error();\n  return 0;\n}}");
    g.text
}

/// Random C text of which the error depends on some parts: fields of objects on the heap and behind pointers, variables that are not
/// needed, functions that are called for nothing, and ends on the way. At most three inputs of two bits.
pub fn random_parts(seed: u64) -> String {
    let random = Random::new(seed);
    let mut g = Generator { random, text: PRELUDE.to_owned(), loops: 0, budget: 0, memory: true, recursion: true };
    g.memory = g.random.below(3) != 0;
    let all = ["x", "y", "z", "g0", "g1", "s->u", "s->v", "t->u", "t->w", "n0", "n1"];
    g.text.push_str("extern void *malloc(unsigned long);\nextern void exit(int);\n");
    g.text.push_str("struct s { int u, v, w; } h, *s, *t = &h;\n");
    g.text.push_str("int left = 3, g0 = 1, g1, n0 = 2, n1, a[4] = {3, 1, 2};\nint *p = &a[1];\n");
    g.text.push_str("int in(void) { if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }\n");
    g.text.push_str("int r(int n, int m) { if (n <= 0) return m; g1 += n; return r(n - 1, m + n) + 1; }\n");
    g.text.push_str("void on(int c) { if (!c) exit(0); }\n");
    g.text.push_str("void set(struct s *q, int v) { q->u = v; n1++; }\n");
    g.text.push_str("int f(int x, int y) {\n  int z = x + 1;\n");
    g.budget = 4;
    g.block(&["x", "y", "z", "g0", "n0", "t->u"], 1);
    let result = g.value(&["x", "y", "z", "g0"], 2);
    let _ = writeln!(g.text, "  return {result};\n}}");
    g.text.push_str("int main() {\n  int x = in(), y = 2, z = 0;\n  s = malloc(sizeof *s);\n");
    g.text.push_str("  s->u = 1; s->v = in(); s->w = 0;\n");
    for _ in 0..2 {
        g.budget = 8;
        g.block(&all, 1);
        let cond = g.condition(&all);
        let end = g.random.pick(&["if (COND) exit(1);", "on(COND);", "set(s, y);", "set(t, x);", "t = &h;", ";"]);
        let _ = writeln!(g.text, "  {}", end.replace("COND", &cond));
    }
    let few: Vec<&str> = (0..2).map(|_| g.random.pick(&all)).collect();
    let cond = g.condition(&few);
    let _ = writeln!(g.text, "  if ({cond}) __VERIFIER_error();\n  return n0;\n}}");
    g.text
}

struct Generator {
    random: Random,
    text: String,
    loops: usize,
    budget: usize,
    memory: bool,
    recursion: bool,
}

impl Generator {
    fn value(&mut self, vars: &[&str], depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 => self.random.below(6).to_string(),
            1..4 => self.random.pick(vars).to_owned(),
            4 if self.memory => format!("a[({}) & 3]", self.value(vars, depth - 1)),
            5 if self.memory => "*p".to_owned(),
            6 => format!("(({}) ? {} : {})", self.condition(vars), self.value(vars, 0), self.value(vars, 0)),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", self.value(vars, depth - 1), self.value(vars, depth - 1))
            }
        }
    }

    fn condition(&mut self, vars: &[&str]) -> String {
        let op = self.random.pick(&["==", "!=", "<", "<=", ">"]);
        format!("{} {op} {}", self.value(vars, 1), self.value(vars, 1))
    }

    fn block(&mut self, vars: &[&str], indent: usize) {
        for _ in 0..2 + self.random.below(3) {
            self.statement(vars, indent);
        }
    }

    fn statement(&mut self, vars: &[&str], indent: usize) {
        let pad = "  ".repeat(indent);
        self.budget = self.budget.saturating_sub(1);
        let simple = self.budget == 0 || indent > 3;
        match self.random.below(if simple { 6 } else { 10 }) {
            0 => {
                let var = self.random.pick(vars);
                let _ = writeln!(self.text, "{pad}{var} = in();");
            }
            1 if self.memory => {
                let (index, value) = (self.value(vars, 1), self.value(vars, 1));
                let _ = writeln!(self.text, "{pad}a[({index}) & 3] = {value};");
            }
            2 if self.memory => {
                let index = self.value(vars, 1);
                let _ = writeln!(self.text, "{pad}p = &a[({index}) & 3];\n{pad}*p += 1;");
            }
            6 => {
                let cond = self.condition(vars);
                let _ = writeln!(self.text, "{pad}if ({cond}) {{");
                self.block(vars, indent + 1);
                let _ = writeln!(self.text, "{pad}}} else {{");
                self.block(vars, indent + 1);
                let _ = writeln!(self.text, "{pad}}}");
            }
            7 => {
                let (i, bound) = (self.loops, self.value(vars, 1));
                self.loops += 1;
                let _ = writeln!(self.text, "{pad}for (int i{i} = 0; i{i} < (({bound}) & 3); i{i}++) {{");
                self.block(vars, indent + 1);
                let cond = self.condition(vars);
                let _ = writeln!(self.text, "{pad}  if ({cond}) break;\n{pad}}}");
            }
            8 if self.recursion => {
                let (var, n, m) = (self.random.pick(vars), self.value(vars, 1), self.value(vars, 1));
                let _ = writeln!(self.text, "{pad}{var} = r(({n}) & 3, {m});");
            }
            9 if !self.text.ends_with("z = x + 1;\n") && self.text.contains("int main") => {
                let (var, x, y) = (self.random.pick(vars), self.value(vars, 1), self.value(vars, 1));
                let _ = writeln!(self.text, "{pad}{var} = f({x}, {y});");
            }
            _ => {
                let (var, value) = (self.random.pick(vars), self.value(vars, 2));
                let _ = writeln!(self.text, "{pad}{var} = {value};");
            }
        }
    }
}

/// Inputs of two bits: the given ones, then 0, with a count of what was asked for.
struct Digits<'a> {
    given: &'a [u8],
    asked: usize,
}

impl Inputs for Digits<'_> {
    fn value(&mut self, _: Request) -> u128 {
        self.asked += 1;
        self.given.get(self.asked - 1).copied().unwrap_or(0).into()
    }
}

/// Whether an execution with inputs of two bits reaches the error, by enumeration of them all.
pub fn reaches_error(text: &str) -> bool {
    let mut program = program(text);
    property::instrument(&mut program, &Property::UnreachCall);
    let code = Code::new(&program);
    let mut todo: Vec<Vec<u8>> = vec![Vec::new()];
    while let Some(given) = todo.pop() {
        let mut inputs = Digits { given: &given, asked: 0 };
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let mut machine =
            Machine::new(&program, &code, Config::default(), &mut inputs, Silent, streams).expect("it starts");
        let outcome = machine.run();
        if inputs.asked > given.len() {
            todo.extend((0..4).map(|digit| given.iter().copied().chain([digit]).collect()));
            continue;
        }
        match outcome {
            Outcome::ErrorReached { .. } => return true,
            Outcome::Exited(_) => {}
            other => panic!("{}\n{text}", other.describe(&program)),
        }
    }
    false
}

/// A random program that never ends: rules over small numbers, and a violation.
pub fn random_loop(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str("int main() {\n  unsigned char a = 0, b = 1, c = 2;\n  while (1) {\n");
    let var = |random: &mut Random| random.pick(&["a", "b", "c"]);
    for _ in 0..2 + random.below(4) {
        let (guard, op, limit) = (var(&mut random), random.pick(&["==", "<", "!="]), random.below(8));
        let target = var(&mut random);
        let value = match random.below(5) {
            0 => random.below(8).to_string(),
            1 => var(&mut random).to_owned(),
            2 => format!("({} + {}) & 7", var(&mut random), random.below(4)),
            3 => format!("({} * {}) & 7", var(&mut random), random.below(4)),
            _ => "__VERIFIER_nondet_uchar() & 3".to_owned(),
        };
        let _ = writeln!(text, "    if ({guard} {op} {limit}) {target} = {value};");
    }
    let (x, y, limit) = (var(&mut random), var(&mut random), random.below(16));
    let _ = writeln!(text, "    if ((({x} + {y}) & 15) == {limit}) __VERIFIER_error();\n  }}\n}}");
    text
}
