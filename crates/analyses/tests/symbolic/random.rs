//! Random programs with pointers, arrays, structs, calls and loops.

use crate::follow::{compile, follow};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_interp::Outcome;
use robusto_testing::Random;
use std::fmt::Write as _;

/// What a random program may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Neither loops nor calls.
    Straight,
    /// Calls of a function without inputs; no loops.
    Calls,
    /// Loops, calls, recursion.
    All,
}

/// Writes statements. All pointers stay valid, all indices in range, nothing is undefined.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    loops: usize,
    shape: Shape,
}

const DECLARATIONS: &str = "
    struct s { int a; short b; unsigned char c; int *p; };
    union u { unsigned w; unsigned short h[2]; unsigned char c[4]; };
    int g0, g1 = 3; unsigned char bytes[8] = \"abc\"; int table[4] = { 1, -2, 30000, 4 };
    struct s one = { 1, 2, 3, &g1 }, two; union u mix;
    int *gp = &g0; int *const parts[3] = { &g0, &g1, &table[2] };
";

impl Writer<'_> {
    fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(12) {
                0 => self.random.below(40).to_string(),
                1 => format!("-{}", self.random.below(5) + 1),
                2 => "x".into(),
                3 => "y".into(),
                4 => self.random.pick(&["g0", "g1", "*gp", "*lp"]).into(),
                5 => "table[y & 3]".into(),
                6 => "bytes[x & 7]".into(),
                7 => self.random.pick(&["one.a", "two.b", "sp->a", "sp->b", "sp->c", "*sp->p", "arr[x & 1].a"]).into(),
                8 => self.random.pick(&["mix.w", "mix.h[x & 1]", "mix.c[y & 3]"]).into(),
                9 => "local[y & 3]".into(),
                10 => "*parts[(x & 0xff) % 3]".into(),
                _ => "z".into(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(9) {
            0 => format!("(int)((unsigned)({a}) + (unsigned)({b}))"),
            1 => format!("(int)((unsigned)({a}) - (unsigned)({b}))"),
            2 => format!("(int)((unsigned)({a}) * (unsigned)({b}))"),
            3 => format!("(({a}) & ({b}))"),
            4 => format!("(({a}) ^ ({b}))"),
            5 => format!("(({a}) < ({b}) ? ({a}) : 5)"),
            6 => format!("(int)((unsigned)({a}) / (((unsigned)({b}) & 15) + 1))"),
            7 => format!("((unsigned)({a}) >> (({b}) & 15))"),
            _ => format!("(({a}) == ({b}))"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let value_depth = self.random.below(3);
        let v = self.value(value_depth);
        let kinds = match self.shape {
            Shape::Straight => 18,
            Shape::Calls => 19,
            Shape::All => 21,
        };
        let line = match self.random.below(kinds) {
            0 => format!("x = {v};"),
            1 => format!("y = {v};"),
            2 => format!("*gp = {v};"),
            3 => format!("*lp = {v};"),
            4 => format!("table[({v}) & 3] = x;"),
            5 => format!("bytes[({v}) & 7] = y;"),
            6 => self
                .random
                .pick(&["gp = &g0;", "gp = &g1;", "gp = &table[x & 3];", "lp = &z;", "lp = &local[y & 3];", "lp = gp;"])
                .into(),
            7 => self
                .random
                .pick(&["sp = &one;", "sp = &two;", "sp = &arr[x & 1];", "sp->p = gp;", "sp->p = &local[2];"])
                .into(),
            8 => format!("sp->{} = {v};", self.random.pick(&["a", "b", "c"])),
            9 => self.random.pick(&["two = one;", "*sp = arr[y & 1];", "arr[x & 1] = *sp;", "one = *sp;"]).into(),
            10 => format!("{} = {v};", self.random.pick(&["mix.w", "mix.h[y & 1]", "mix.c[x & 3]"])),
            11 => format!("local[({v}) & 3] = y;"),
            12 => self
                .random
                .pick(&[
                    "memcpy(local, table, sizeof table);",
                    "memcpy(bytes + 2, bytes, x & 3);",
                    "memset(local, 0, 8);",
                    "memset(&two, 0, sizeof two); two.p = &g1;",
                    "memmove(bytes, bytes + 1, 5);",
                    "memcpy(table, local, (y & 3) * sizeof(int));",
                ])
                .into(),
            13 => "x = __VERIFIER_nondet_int();".into(),
            14 => "y = __VERIFIER_nondet_uchar();".into(),
            15..=17 if depth > 0 => {
                let _ = writeln!(self.text, "if ({v}) {{");
                self.statements(depth - 1);
                self.text.push_str("} else {\n");
                self.statements(depth - 1);
                "}".into()
            }
            19 if depth > 0 => {
                let i = self.loops;
                self.loops += 1;
                let _ = writeln!(self.text, "for (int i{i} = 0; i{i} < {}; i{i}++) {{", 1 + self.random.below(3));
                self.statements(depth - 1);
                "}".into()
            }
            18 => format!("z = helper({v}, lp, sp);"),
            20 => format!("z = recurse(({v}) & 3, &local[x & 3]);"),
            _ => format!("z = {v};"),
        };
        let _ = writeln!(self.text, "{line}");
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }
}

/// A random program of a shape; the ending comes before the end of `main`.
pub fn program(seed: u64, shape: Shape, ending: &str) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "typedef typeof(sizeof 0) size_t;
        extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern void __VERIFIER_error(void);
        extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
        extern void *memmove(void *, const void *, size_t);\n",
    );
    text.push_str(DECLARATIONS);
    let locals = "int y = 2, z = x; int local[4] = { 7, 8, 9 }; int *lp = &z; struct s arr[2] = { { 1, 2, 3, &g0 }, { 4, 5, 6, &g1 } }; struct s *sp = &arr[0];\n";
    if shape != Shape::Straight {
        text.push_str("int recurse(int n, int *q) { int mine = n; int *r = &mine; if (n <= 0) return *q; *r += recurse(n - 1, n & 1 ? r : q); return mine + n; }\n");
        let mut writer = Writer { random: &mut random, text: String::new(), loops: 0, shape: Shape::Straight };
        writer.statements(1);
        writer.statements(1);
        if shape == Shape::Calls {
            writer.text = writer.text.replace("__VERIFIER_nondet_int()", "7").replace("__VERIFIER_nondet_uchar()", "3");
        }
        let _ = write!(
            text,
            "int helper(int x, int *lp, struct s *sp) {{ int y = 2, z = x; int local[4] = {{ 7, 8, 9 }}; struct s arr[2] = {{ one, two }}; arr[0].p = arr[1].p = &g0; sp->p = gp; lp = &z;\n{} z ^= *lp; sp = &one; sp->p = gp; return z + y; }}\n",
            writer.text.replace("sp->p = &local[2];", "sp->p = &table[1];")
        );
    }
    let mut writer = Writer { random: &mut random, text: String::new(), loops: 0, shape };
    for _ in 0..4 {
        writer.statements(2);
    }
    // Pointers in globals are made valid again where a callee may have left its own.
    let body = writer.text;
    let _ = write!(
        text,
        "int main() {{ two.p = &g0; int x = __VERIFIER_nondet_int(); {locals}{body}\n{ending} return 0; }}\n"
    );
    text
}

#[test]
fn random_programs_are_followed() {
    let mut followed = 0;
    for seed in 0..400 {
        let text = program(seed, Shape::All, "");
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let facts = Facts::of(compile(&text, model));
        let block = [None, Some(4), Some(11)][seed as usize % 3];
        let run = std::panic::catch_unwind(|| follow(&facts, seed, block, 1500));
        let (outcome, steps, approximations) = run.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        assert!(approximations.is_empty(), "{approximations:?}\n{text}");
        match outcome {
            Outcome::Exited(0) | Outcome::StepLimit => followed += steps,
            // A callee's object that is used after its end; rare.
            Outcome::Undefined { .. } => {}
            other => panic!("{}\n{text}", other.describe(&facts.program)),
        }
    }
    assert!(followed > 10_000, "{followed} steps were checked");
}
