//! Memory properties against all executions of random programs. The oracle is the interpreter on the program as it is,
//! without a single check in it: it finds invalid accesses by itself.

use crate::support::{limits, program};
use robusto_engine::{Problem, bmc, cegar, certify, kind};
use robusto_interp::inputs::Request;
use robusto_interp::{Access, Code, Config, Inputs, Machine, Outcome, Silent, Streams, Undefined};
use robusto_limits::Progress;
use robusto_testing::Random;
use robusto_verdict::{Property, Report, Verdict};
use std::fmt::Write as _;

/// Inputs of two bits: the given ones, then 0.
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

/// The properties that some execution violates first: accesses, frees.
fn violated(text: &str) -> [bool; 2] {
    let program = program(text);
    let code = Code::new(&program);
    let mut found = [false; 2];
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
            Outcome::Undefined { what: Undefined::Access(access), .. } => {
                found[usize::from(access.access == Access::Free)] = true;
            }
            Outcome::Exited(_) => {}
            other => panic!("{}\n{text}", other.describe(&program)),
        }
    }
    found
}

/// Objects of all kinds, pointers that move between them, frees, calls; at most three inputs of two bits.
fn random_text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
struct pair { int first; struct pair *other; };
int left = 3, g[3], *kept = g;
int in(void) { if (left == 0) return 1; left--; return __VERIFIER_nondet_uchar() & 3; }
int read(int *p, int i) { return p[i]; }
int *dangling(int n) { int own[2] = {n, n}, *p = own; kept = n > 2 ? p : kept; return kept; }
int main(void) {
  int a[3] = {1, 2, 3}, x = 1, *p = a, *q = 0;
  struct pair *s = calloc(1, sizeof(struct pair)), *t = s;
"
    .to_owned();
    for _ in 0..3 + random.below(5) {
        let guard = match random.below(3) {
            0 => format!("if (x {} {}) ", random.pick(&["<", "==", "!="]), random.below(4)),
            _ => String::new(),
        };
        let pointer = random.pick(&["p", "q", "kept"]);
        let index = random.pick(&["0", "1", "x & 1", "x & 3", "2"]);
        let statement = match random.below(16) {
            0 => "x = in();".to_owned(),
            1 => format!("{pointer} = a + ({index});"),
            2 => format!("{pointer} = calloc({}, sizeof(int));", 1 + random.below(3)),
            3 => format!("{pointer} = {};", random.pick(&["p", "q", "g", "a", "kept"])),
            4 | 5 => format!("if ({pointer}) x = {pointer}[{index}];"),
            6 => format!("if ({pointer}) {pointer}[{index}] = x;"),
            7 => format!("if (x == {}) free({pointer});", random.below(4)),
            8 => format!("a[{index}] = x & 3;"),
            9 => format!("if ({pointer}) x = read({pointer}, {index});"),
            10 => "t->other = s; t = t->other;".to_owned(),
            11 => "if (t) t->first = x;".to_owned(),
            12 => format!("if (x == {}) {{ free(s); s = 0; }}", random.below(4)),
            13 => "if (x > 0) q = dangling(x);".to_owned(),
            14 => "for (int i = 0; i < (x & 3); i++) { if (p) *p = i; }".to_owned(),
            _ => "x = x + 1 & 3;".to_owned(),
        };
        let _ = writeln!(text, "  {guard}{statement}");
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn agrees(seeds: std::ops::Range<u64>, check: impl Fn(u64, &Problem) -> Report) {
    let mut count = [[0; 2]; 2];
    for seed in seeds {
        let text = random_text(seed);
        let expected = violated(&text);
        for (i, property) in [Property::ValidDeref, Property::ValidFree].into_iter().enumerate() {
            // Where one of them is asked for, an execution that violates the other has ended.
            let problem = Problem::new(program(&text), &property);
            let report = check(seed, &problem);
            let is_wrong = match &report.verdict {
                Verdict::True => expected[i],
                Verdict::False(_) => !expected[i],
                Verdict::Unknown(reason) => panic!("seed {seed}, {property}: {reason}\n{text}"),
            };
            assert!(!is_wrong, "seed {seed}, {property}: {:?}, violated: {}\n{text}", report.verdict, expected[i]);
            if report.verdict == Verdict::True {
                let certificate = report.certificate.as_ref().expect("every true has one");
                if let Err(failure) = certify::check(&problem, certificate, &limits()) {
                    panic!("seed {seed}: {failure}\n{text}");
                }
            }
            count[i][usize::from(expected[i])] += 1;
        }
    }
    assert!(count.iter().flatten().all(|&n| n > 0), "{count:?}: both answers of both properties occur");
}

#[test]
fn bounded_model_checking_agrees_with_enumeration() {
    agrees(0..150, |_, problem| bmc::check(problem, &bmc::Options::default(), &limits(), &Progress::default()));
}

#[test]
fn induction_agrees_with_enumeration() {
    agrees(1000..1080, |seed, problem| {
        let options = bmc::Options { max_bound: Some(40), invariants: seed % 2 == 0, ..Default::default() };
        kind::check(problem, &options, &limits(), &Progress::default())
    });
}

#[test]
fn predicates_agree_with_enumeration() {
    agrees(2000..2040, |_, problem| {
        let options = cegar::Options { traces: false, ..Default::default() };
        cegar::check(problem, &options, &limits(), &Progress::default(), |_, _| {})
    });
}
