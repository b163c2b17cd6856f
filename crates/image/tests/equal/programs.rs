//! Random programs with few states: numbers of up to three bits, loops without end, calls, an array, a pointer.

use robusto_testing::Random;
use std::fmt::Write as _;

struct Writer {
    random: Random,
    text: String,
    /// Whether there are an array and a pointer.
    memory: bool,
    /// Statements that may still be written.
    budget: u32,
}

impl Writer {
    fn value(&mut self) -> String {
        let name = self.random.pick(&["x", "y", "z", "g"]);
        match self.random.below(9) {
            0 => self.random.below(5).to_string(),
            1 => format!("{name} + {}", self.random.below(4)),
            2 => format!("{name} ^ {}", self.random.pick(&["x", "y", "z", "g"])),
            3 => format!("{name} * 3"),
            4 => format!("({} ? {name} : z)", self.condition()),
            5 if self.memory => format!("a[{name} & 1]"),
            6 if self.memory => "*p".to_owned(),
            7 => "__VERIFIER_nondet_uchar()".to_owned(),
            _ => name.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (name, op) = (self.random.pick(&["x", "y", "z", "g"]), self.random.pick(&["==", "<", "!=", ">"]));
        match self.random.below(4) {
            0 => format!("{name} {op} {}", self.random.pick(&["x", "y", "z", "g"])),
            1 => "__VERIFIER_nondet_uchar() & 1".to_owned(),
            _ => format!("{name} {op} {}", self.random.below(5)),
        }
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        let value = self.value();
        let mask = self.random.pick(&["1", "3", "3", "7"]);
        let line = match self.random.below(if depth == 0 || self.budget == 0 { 5 } else { 9 }) {
            0 if self.memory => format!("a[x & 1] = ({value}) & {mask};"),
            1 if self.memory => self.random.pick(&["p = &a[y & 1];", "p = &h;", "*p = y & 3;"]).to_owned(),
            2 => format!("g = ({value}) & {mask};"),
            3 => format!("z = f(({value}) & {mask});"),
            5 | 6 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statements(depth - 1);
                self.text.push_str("} else {\n");
                self.statements(depth - 1);
                "}".to_owned()
            }
            7 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "while ({condition}) {{");
                self.statements(depth - 1);
                "}".to_owned()
            }
            8 => format!("if ({}) __VERIFIER_error();", [self.condition(), self.condition()].join(" && ")),
            _ => format!("{} = ({value}) & {mask};", self.random.pick(&["x", "y", "z"])),
        };
        let _ = writeln!(self.text, "{line}");
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut writer =
        Writer { random: Random::new(seed), text: String::new(), memory: seed.is_multiple_of(3), budget: 8 };
    writer.statements(2);
    writer.text.push_str("while (1) {\n");
    writer.budget = 8;
    writer.statements(2);
    writer.statements(2);
    // So that values matter.
    let limit = writer.random.below(12);
    let _ = writeln!(writer.text, "if (x + y + (z ^ g) == {limit}) __VERIFIER_error();\n}}");
    let body = writer.text;
    // What is not initialised has any value.
    let x = if seed.is_multiple_of(5) { "x; x &= 3;" } else { "x = 1;" };
    format!(
        "extern unsigned char __VERIFIER_nondet_uchar(void); extern void __VERIFIER_error(void);
        typedef unsigned char byte;
        byte g = 1, h, a[2] = {{ 1, 2 }}; byte *p = &h;
        byte f(byte x) {{ if (x == g) return 2; g = (g + 1) & 3; return x ^ 1; }}
        int main(void) {{ byte {x} byte y = 2, z = 0;\n{body}return 0; }}\n"
    )
}
