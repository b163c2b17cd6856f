//! Random programs without memory: three functions with calls, loops, inputs.

use super::{Build, call};
use crate::ir::*;
use robusto_testing::Random;

/// Which expressions occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Copies, and comparisons for equality.
    Equality,
    /// Comparisons with constants as well.
    Order,
    /// `&`, `|`, `^` of truth values.
    Logic,
    /// Everything.
    All,
}

const CONSTANTS: [u64; 7] = [0, 1, 2, 5, 100, 200, 255];

struct Generator<'r> {
    random: &'r mut Random,
    b: Build,
    style: Style,
    casts: bool,
    vars: Vec<VarId>,
}

/// A program of `main`, `f` and `g`; `main` calls both, `f` calls `g`. Variables have 8 or, with casts, 16 bits.
pub fn random_program(random: &mut Random, style: Style, casts: bool) -> Program {
    let mut b = Build::new();
    let ids = ["main", "f", "g"].map(|name| {
        let params: &[Ty] = if name == "main" { &[] } else { &[Ty::Int(8), Ty::Int(8)] };
        b.function(name, params)
    });
    let globals: Vec<_> = (0..2).map(|_| b.global(Ty::Int(if casts { random.pick(&[8, 16]) } else { 8 }))).collect();
    let mut generator = Generator { random, b, style, casts, vars: Vec::new() };
    for (i, &id) in ids.iter().enumerate() {
        generator.vars = globals.clone();
        generator.vars.extend(generator.b.program.functions[id].params.clone());
        for _ in 0..2 {
            let width = generator.width();
            let local = generator.b.local(id, Ty::Int(width));
            generator.vars.push(local);
        }
        generator.function(id, &ids[i + 1..]);
    }
    generator.b.program
}

impl Generator<'_> {
    fn width(&mut self) -> u8 {
        if self.casts { self.random.pick(&[8, 8, 16]) } else { 8 }
    }

    fn constant(&mut self, width: u8) -> ExprId {
        let constants = if self.style == Style::Logic { &CONSTANTS[..2] } else { &CONSTANTS };
        let bits = self.random.pick(constants);
        self.b.pool().constant(Ty::Int(width), bits)
    }

    fn variable(&mut self, width: u8) -> ExprId {
        let var = self.random.pick(&self.vars);
        let signed = self.random.below(4) == 0;
        let read = self.b.read(var);
        self.b.pool().resize(read, signed, width)
    }

    fn value(&mut self, width: u8) -> ExprId {
        match self.random.below(if self.style == Style::All { 9 } else { 6 }) {
            0..3 => self.constant(width),
            3 if self.style == Style::Logic => {
                let (x, y) = (self.variable(width), self.value(width));
                let op = self.random.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
                self.b.pool().binary(op, x, y)
            }
            3 => {
                let cond = self.condition();
                self.b.pool().cast(CastOp::ZExt, Ty::Int(width), cond)
            }
            4 | 5 => self.variable(width),
            _ => {
                let (x, y) = (self.variable(width), self.value(width));
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::UDiv, BinOp::Shl]);
                self.b.pool().binary(op, x, y)
            }
        }
    }

    fn condition(&mut self) -> ExprId {
        let width = self.width();
        let x = self.variable(width);
        let ordered = matches!(self.style, Style::Order | Style::All) && self.random.below(2) == 0;
        if ordered {
            let c = self.constant(width);
            let op = self.random.pick(&[BinOp::ULt, BinOp::ULe, BinOp::SLt, BinOp::SLe]);
            let (x, y) = if self.random.below(2) == 0 { (x, c) } else { (c, x) };
            return self.b.pool().binary(op, x, y);
        }
        let y = if self.random.below(3) == 0 { self.variable(width) } else { self.constant(width) };
        let op = self.random.pick(&[BinOp::Eq, BinOp::Ne]);
        self.b.pool().binary(op, x, y)
    }

    fn function(&mut self, id: FuncId, callees: &[FuncId]) {
        let n = 6 + self.random.below(8);
        let mut edges = Vec::new();
        for loc in 0..n {
            // Mostly onward; the exit is location `n`, which only returns lead to.
            let next = |random: &mut Random| if random.below(5) == 0 { random.below(n) } else { (loc + 1).min(n - 1) };
            let dst = next(self.random);
            let var = self.random.pick(&self.vars);
            let Ty::Int(width) = self.b.program.vars[var].ty else { unreachable!() };
            match self.random.below(8) {
                _ if loc == n - 1 => {
                    let value = self.value(8);
                    edges.push((loc, n, Op::Return { value: Some(value) }));
                }
                0 if self.style != Style::Logic => {
                    edges.push((loc, dst, Op::Havoc { var, source: HavocSource::Input }));
                }
                1 | 2 => {
                    let cond = self.condition();
                    let other = next(self.random);
                    edges.push((loc, dst, Op::Assume { cond, truth: true }));
                    edges.push((loc, other, Op::Assume { cond, truth: false }));
                }
                3 if !callees.is_empty() => {
                    let args = [self.value(8), self.value(8)];
                    let result = Some(var).filter(|_| width == 8);
                    edges.push((loc, dst, call(self.random.pick(callees), &args, result)));
                }
                _ => {
                    let value = self.value(width);
                    edges.push((loc, dst, Op::Assign { var, value }));
                }
            }
        }
        self.b.program.functions[id].ret = Some(Ty::Int(8));
        self.b.edges(id, n + 1, edges);
    }
}
