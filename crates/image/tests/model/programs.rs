//! Random programs with arrays, pointers, calls, recursion, loops and violations. Nothing in them is undefined.

use robusto_testing::Random;
use std::fmt::Write as _;

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    loops: usize,
    /// Whether it may call.
    calls: bool,
}

impl Writer<'_> {
    fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(8) {
                0 => self.random.below(20).to_string(),
                1 => format!("-{}", self.random.below(4) + 1),
                2 => "x".into(),
                3 => self.random.pick(&["g", "h", "c", "*p"]).into(),
                4 => "a[x & 3]".into(),
                5 => "b[y & 1]".into(),
                _ => "y".into(),
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
            6 => format!("(({a}) % ((({b}) & 7) + 1))"),
            7 => format!("(({a}) >> (({b}) & 15))"),
            _ => format!("(({a}) == ({b}))"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let value_depth = self.random.below(3);
        let v = self.value(value_depth);
        let line = match self.random.below(16) {
            0 | 1 => format!("x = {v};"),
            2 => format!("y = {v};"),
            3 => format!("g = {v};"),
            4 => format!("h = ({v}) & 7;"),
            5 => format!("c = {v};"),
            6 => format!("*p = {v};"),
            7 => format!("a[({v}) & 3] = x;"),
            8 => format!("b[({v}) & 1] = y;"),
            9 => self.random.pick(&["p = &g;", "p = &a[x & 3];", "p = &b[1];"]).into(),
            10 => "x = __VERIFIER_nondet_int();".into(),
            11 => "y = __VERIFIER_nondet_uchar();".into(),
            12 | 13 if depth > 0 => {
                let _ = writeln!(self.text, "if ({v}) {{");
                self.statements(depth - 1);
                self.text.push_str("} else {\n");
                self.statements(depth - 1);
                "}".into()
            }
            14 if depth > 0 => {
                let i = self.loops;
                self.loops += 1;
                let _ = writeln!(self.text, "for (int i{i} = 0; i{i} < {}; i{i}++) {{", 1 + self.random.below(3));
                self.statements(depth - 1);
                "}".into()
            }
            15 if self.calls => match self.random.below(3) {
                0 => format!("y = helper({v}, p);"),
                1 => format!("y = recurse(({v}) & 3, &a[x & 3]);"),
                _ => format!("if ((({v}) & 3) == {}) __VERIFIER_error();", self.random.below(4)),
            },
            _ => format!("y = {v};"),
        };
        let _ = writeln!(self.text, "{line}");
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut helper = Writer { random: &mut random, text: String::new(), loops: 10, calls: false };
    helper.statements(1);
    // The caller's pointer stays valid; a callee's own would not.
    let helper = helper.text.replace("p = &b[1];", "p = &a[1];");
    let mut main = Writer { random: &mut random, text: String::new(), loops: 0, calls: true };
    for _ in 0..4 {
        main.statements(2);
    }
    let main = main.text;
    format!(
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern void __VERIFIER_error(void);
        int g, a[4] = {{ 1, -2, 30000, 4 }}; unsigned char h = 3; short c;
        int recurse(int n, int *q) {{ int mine = n; int *r = &mine; if (n <= 0) return *q; *r += recurse(n - 1, n & 1 ? r : q); return mine + n; }}
        int helper(int x, int *p) {{ int y = 2; int b[2] = {{ 7, x }};\n{helper} return x ^ y ^ b[y & 1]; }}
        int main() {{ int x = __VERIFIER_nondet_int(), y = 2; int b[2] = {{ 7, 8 }}; int *p = &g;\n{main} return 0; }}\n"
    )
}
