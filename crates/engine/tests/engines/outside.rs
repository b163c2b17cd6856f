//! Slices of random programs with pointers from outside, against the whole programs and the interpreter.
//!
//! A store through such a pointer may hit memory that matters, whoever it seems to be for; objects may be handed out and come back; and what
//! is out there may lead to the program's objects again. A slice that overlooks one of these says `true` where the program has
//! an error.

use crate::support::{cpu_limits, limits};
use robusto_cfa::ir::{DataModel, Ty};
use robusto_cfa::{Externs, Options, compile};
use robusto_engine::{Problem, bmc, certify};
use robusto_interp::inputs::Request;
use robusto_interp::{Code, Config, Inputs, Layout, Machine, Outcome, Silent, Streams};
use robusto_limits::Progress;
use robusto_syntax::SourceMap;
use robusto_testing::{Random, cases};
use robusto_verdict::{Certificate, Property, Reason, Report, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

const HEAD: &str = "extern void __VERIFIER_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern void exit(int); extern void *malloc(unsigned long); extern void *memset(void *, int, unsigned long);
struct s { int u, v; struct s *next; int *q; };
extern struct s *give(void); extern int *number(void); extern void take(struct s *); extern void look(const struct s *);
extern struct s *root; extern int *numbers;
struct s h, k, *s, *t, *ns; int g0 = 1, g1, n0 = 2, n1, a[4] = {3, 1, 2}; int *p, *np;
int in(void) { return __VERIFIER_nondet_uchar() & 3; }
void on(int c) { if (!c) exit(0); }
void set(struct s *q, int v) { q->u = v; n1++; }
struct s *one(struct s *x, struct s *y, int c) { if (c) return x; return y; }
void quiet(int n) { for (int i = 0; i < 2; i++) { if (n0 > n) n1 += n; else n0 ^= n1; } }
";

/// Random C text that ends, about numbers and structures here and outside.
struct Generator(Random);

impl Generator {
    fn number(&mut self) -> &'static str {
        let here = ["g0", "g1", "x", "y", "a[1]", "h.u", "h.v", "k.u"];
        let behind = ["s->u", "s->v", "t->u", "*p", "root->u", "*numbers"];
        if self.0.below(3) == 0 { self.0.pick(&behind) } else { self.0.pick(&here) }
    }

    fn value(&mut self) -> String {
        match self.0.below(20) {
            0..5 => self.0.below(4).to_string(),
            5..8 => "in()".to_owned(),
            8..16 => self.number().to_owned(),
            _ => format!("({} {} {})", self.number(), self.0.pick(&["+", "-", "^", "&"]), self.number()),
        }
    }

    fn condition(&mut self) -> String {
        let other = if self.0.below(2) == 0 { self.number().to_owned() } else { self.0.below(4).to_string() };
        format!("{} {} {other}", self.number(), self.0.pick(&["==", "!=", "<", ">"]))
    }

    fn structure(&mut self) -> &'static str {
        self.0.pick(&["s", "t", "&h", "&k", "s", "t", "root", "ns"])
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.0.below(if depth < 3 { 24 } else { 20 }) {
            0 => "s = give();".to_owned(),
            1 => "p = number();".to_owned(),
            2 => format!("s->u = {};", self.value()),
            3 => format!("*p = {};", self.value()),
            4 => "s = s->next;".to_owned(),
            5 => format!("{} = {};", self.0.pick(&["s->next", "t->next", "h.next", "k.next"]), self.structure()),
            6 => {
                let to = ["&g0", "&g1", "&h.u", "&a[1]", "&s->u", "&s->v", "s->q", "numbers", "h.q", "&n0"];
                format!("{} = {};", self.0.pick(&["p", "s->q", "h.q", "np", "t->q"]), self.0.pick(&to))
            }
            7 => format!("take({});", self.structure()),
            8 => format!("look({});", self.structure()),
            9 => format!("t = {};", self.structure()),
            10 => format!("t = one({}, {}, {});", self.structure(), self.structure(), self.condition()),
            11 => format!("set({}, {});", self.structure(), self.value()),
            12 => match self.0.below(3) {
                0 => format!("memset({}, 0, sizeof h);", self.structure()),
                _ => self.0.pick(&["*s = h;", "h = *s;", "*t = k;", "k = *t;"]).to_owned(),
            },
            13 => format!("on({});", self.condition()),
            14 => "np = number(); *np = n0;".to_owned(),
            15 => "ns = give(); ns->v = n1;".to_owned(),
            16 => {
                let next = self.structure();
                format!("ns = malloc(sizeof *ns); ns->u = 0; ns->v = n0; ns->next = {next}; ns->q = &g0;")
            }
            17 => self.0.pick(&["s = ns;", "*np = n1;", "*np = g0;", "n0 = g1;"]).to_owned(),
            18 => format!("root = {};", self.structure()),
            19 => format!("numbers = {};", self.0.pick(&["&g0", "p", "&n0"])),
            20 => format!("if ({}) {{ {} }} else {{ {} }}", self.condition(), self.statement(3), self.statement(3)),
            21 => format!("for (int i = 0; i < 2; i++) {{ {} }}", self.statement(3)),
            22 => format!("{} = {};", self.0.pick(&["g0", "g1", "a[x & 3]", "h.u", "k.v", "p[x & 1]"]), self.value()),
            _ => format!("if ({}) {{ {} {} }}", self.condition(), self.statement(3), self.statement(3)),
        }
    }

    fn text(&mut self) -> String {
        let mut text = format!("{HEAD}int main(void) {{\n  int x = in(), y = 1;\n");
        let (s, t) = (self.0.pick(&["give()", "&h", "&k"]), self.0.pick(&["give()", "&h", "&k"]));
        let p = self.0.pick(&["number()", "&g0", "&g1"]);
        let _ = writeln!(text, "  s = {s}; t = {t}; p = {p}; np = &n0; ns = &k;");
        for _ in 0..3 + self.0.below(6) {
            let _ = writeln!(text, "  {}", self.statement(0));
        }
        let _ = writeln!(text, "  quiet(n1);\n  if ({}) __VERIFIER_error();\n  return n0;\n}}", self.condition());
        text
    }
}

fn problem(text: &str, externs: Externs) -> Problem {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    let options = Options { externs, ..Options::new(DataModel::Lp64) };
    match compile(&mut sources, &[file], options) {
        Ok((program, _)) => Problem::new(program, &Property::UnreachCall),
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

fn check(problem: &Problem) -> Report {
    let limits = cpu_limits(Duration::from_secs(5));
    bmc::check(problem, &bmc::Options::default(), &limits, &Progress::default())
}

/// Pointers into a few blocks outside, or null; numbers of two bits.
struct Outside {
    random: Random,
    start: u64,
}

impl Outside {
    const BLOCKS: u64 = 3;
    /// The size of a structure.
    const BLOCK: u64 = 24;

    fn pointer(&mut self) -> u64 {
        match self.random.below(Self::BLOCKS + 1) {
            0 => 0,
            block => self.start + (block - 1) * Self::BLOCK,
        }
    }
}

impl Inputs for Outside {
    fn value(&mut self, request: Request) -> u128 {
        match request.ty {
            Ty::Ptr => self.pointer().into(),
            _ => self.random.below(4u64).into(),
        }
    }

    fn outside(&mut self) -> Vec<(u64, u8)> {
        let mut bytes = Vec::new();
        for block in 0..Self::BLOCKS {
            let at = self.start + block * Self::BLOCK;
            bytes.push((at, self.random.below(4u64) as u8));
            bytes.push((at + 4, self.random.below(4u64) as u8));
            for offset in [8, 16] {
                let to = self.pointer().to_le_bytes();
                bytes.extend(to.into_iter().enumerate().map(|(i, byte)| (at + offset + i as u64, byte)));
            }
        }
        bytes
    }
}

/// Whether one of many random executions comes to the error.
fn is_seen(problem: &Problem, seed: u64) -> bool {
    let program = &problem.facts.program;
    let code = Code::new(program);
    let start = Layout::new(program).outside().start;
    (0..60).any(|run| {
        let mut inputs = Outside { random: Random::new(seed * 1000 + run), start };
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let config = Config { max_steps: Some(100_000), ..Config::default() };
        let mut machine = Machine::new(program, &code, config, &mut inputs, Silent, streams).expect("it starts");
        matches!(machine.run(), Outcome::ErrorReached { .. })
    })
}

/// What is said of a slice, which must not be denied by the program: 0 true, 1 false, 2 neither; and whether an execution came to the error.
fn agrees(seed: u64) -> (usize, bool) {
    let mut generator = Generator(Random::new(seed));
    let text = generator.text();
    let externs = generator.0.pick(&[Externs::Args, Externs::All, Externs::Pure]);
    let problem = problem(&text, externs);
    let slice = problem.slice().unwrap_or_else(|why| panic!("{why}\n{text}"));
    let report = check(slice);
    let whole = check(&problem).verdict;
    let seen = is_seen(&problem, seed);
    let said = match report.verdict {
        Verdict::True => {
            assert!(!seen, "seed {seed}, {externs:?}: an execution comes to the error\n{text}");
            let is_denied = matches!(whole, Verdict::False(_));
            assert!(!is_denied, "seed {seed}, {externs:?}: the program has an error\n{text}");
            let certificate = Certificate::Sliced(Box::new(report.certificate.expect("every true has one")));
            if let Err(failure @ certify::Failure::Refuted(_)) = certify::check(&problem, &certificate, &limits()) {
                panic!("seed {seed}, {externs:?}: {failure}\n{text}");
            }
            0
        }
        // It was replayed on the program.
        Verdict::False(_) => {
            assert!(whole != Verdict::True, "seed {seed}, {externs:?}: the program is said to have no error\n{text}");
            1
        }
        Verdict::Unknown(Reason::NoMain | Reason::CertificationFailed(_)) => panic!("seed {seed}: {report:?}\n{text}"),
        Verdict::Unknown(_) => 2,
    };
    (said, seen)
}

#[test]
fn slices_agree_with_programs_about_memory_outside() {
    let seeds = cases(120);
    let mut count = [0u64; 3];
    let mut seen = 0;
    for seed in 0..seeds {
        let (said, is_seen) = agrees(seed);
        count[said] += 1;
        seen += u64::from(is_seen);
    }
    let [proved, refuted, open] = count;
    assert!(
        proved * 8 > seeds && refuted * 8 > seeds && open * 2 < seeds && seen * 10 > seeds,
        "{count:?}, {seen} seen"
    );
}

/// What was handed out comes back: the pointers may be the same.
#[test]
fn what_was_handed_out_comes_back() {
    let text = format!(
        "{HEAD}int main(void) {{ root = &h; h.u = 0; s = root; ns = s; ns->u = 7; quiet(1); if (h.u == 7) __VERIFIER_error(); }}"
    );
    for externs in [Externs::Args, Externs::All, Externs::Pure] {
        let problem = problem(&text, externs);
        let report = check(problem.slice().expect("it has one"));
        assert!(matches!(report.verdict, Verdict::False(_)), "{externs:?}: {:?}", report.verdict);
    }
}
