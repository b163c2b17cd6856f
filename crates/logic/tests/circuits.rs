//! Every operator, as the solver decides it, against plain arithmetic.

mod support;

use robusto_limits::Limits;
use robusto_logic::{Answer, BinaryOp, Node, Solver, Sort, Terms};
use robusto_testing::Random;
use support::value_of_width;

/// Arithmetic as SMT-LIB defines it, written down independently of the library: on mathematical integers.
fn reference(op: BinaryOp, width: u32, a: u128, b: u128) -> u128 {
    use BinaryOp::*;
    let modulus = 1i128.checked_shl(width).filter(|_| width < 127);
    let ones = u128::MAX >> (128 - width);
    let negative = |x: u128| x >> (width - 1) & 1 == 1;
    let magnitude = |x: u128| if negative(x) { x.wrapping_neg() & ones } else { x };
    let negate_if = |c: bool, x: u128| if c { x.wrapping_neg() & ones } else { x };
    let less = |a: u128, b: u128| match (negative(a), negative(b)) {
        (true, false) => true,
        (false, true) => false,
        _ => a < b,
    };
    let udiv = |a: u128, b: u128| a.checked_div(b).unwrap_or(ones);
    let urem = |a: u128, b: u128| a.checked_rem(b).unwrap_or(a);
    match op {
        Add => match modulus {
            Some(m) => ((a as i128 + b as i128) % m) as u128,
            None => a.wrapping_add(b) & ones,
        },
        Sub => match modulus {
            Some(m) => (a as i128 - b as i128).rem_euclid(m) as u128,
            None => a.wrapping_sub(b) & ones,
        },
        Mul => a.wrapping_mul(b) & ones,
        UDiv => udiv(a, b),
        URem => urem(a, b),
        SDiv => negate_if(negative(a) != negative(b), udiv(magnitude(a), magnitude(b))),
        SRem => negate_if(negative(a), urem(magnitude(a), magnitude(b))),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => (0..width).filter(|&i| u128::from(i) >= b && a >> (u128::from(i) - b) & 1 == 1).map(|i| 1 << i).sum(),
        LShr | AShr => (0..width)
            .filter(|&i| match b.checked_add(i.into()) {
                Some(from) if from < width.into() => a >> from & 1 == 1,
                _ => op == AShr && negative(a),
            })
            .map(|i| 1 << i)
            .sum(),
        Eq => (a == b).into(),
        ULt => (a < b).into(),
        ULe => (a <= b).into(),
        SLt => less(a, b).into(),
        SLe => (!less(b, a)).into(),
    }
}

struct Circuit {
    terms: Terms,
    solver: Solver,
    names: [robusto_logic::Term; 3],
}

/// `r = a op b`, with the operands free or the second one constant.
fn circuit(op: BinaryOp, width: u16, constant: Option<u128>) -> Circuit {
    let mut terms = Terms::new();
    let a = terms.symbol("a", Sort::Bits(width));
    let b = match constant {
        Some(k) => terms.constant(width, k),
        None => terms.symbol("b", Sort::Bits(width)),
    };
    let result = terms.symbol("r", Sort::Bits(if op.is_comparison() { 1 } else { width }));
    let value = terms.intern(Node::Binary(op, a, b));
    let same = terms.intern(Node::Binary(BinaryOp::Eq, result, value));
    let mut solver = Solver::new(&Limits::none());
    solver.assert(&mut terms, same);
    Circuit { terms, solver, names: [a, b, result] }
}

impl Circuit {
    fn run(&mut self, x: u128, y: u128) -> u128 {
        let [a, b, r] = self.names;
        let width = self.terms.width(a);
        let mut assumptions = Vec::new();
        for (t, value) in [(a, x), (b, y)] {
            let k = self.terms.constant(width, value);
            assumptions.push(self.terms.eq(t, k));
        }
        assert_eq!(self.solver.check(&mut self.terms, &assumptions), Ok(Answer::Sat));
        let model = self.solver.model(&self.terms);
        let value = model.get(self.terms.as_symbol(r).expect("a symbol"));
        // And no other result.
        let k = self.terms.constant(self.terms.width(r), value);
        assumptions.push(self.terms.ne(r, k));
        assert_eq!(self.solver.check(&mut self.terms, &assumptions), Ok(Answer::Unsat));
        value
    }
}

#[test]
fn narrow_operators_exhaustively() {
    for width in 1..=4u16 {
        for op in BinaryOp::ALL {
            let mut free = circuit(op, width, None);
            for y in 0..1u128 << width {
                let mut by_constant = circuit(op, width, Some(y));
                for x in 0..1u128 << width {
                    let expected = reference(op, width.into(), x, y);
                    assert_eq!(free.run(x, y), expected, "{x} {op:?} {y} at {width} bits");
                    assert_eq!(by_constant.run(x, y), expected, "{x} {op:?} constant {y} at {width} bits");
                }
            }
        }
    }
}

#[test]
fn wide_operators_at_random() {
    let mut random = Random::new(7);
    for width in [8, 13, 16, 32, 33, 64, 128] {
        for op in BinaryOp::ALL {
            let mut free = circuit(op, width, None);
            for _ in 0..12 {
                let (x, y) = (value_of_width(&mut random, width), value_of_width(&mut random, width));
                let y = if random.below(3) == 0 { y % u128::from(2 * width) } else { y };
                let expected = reference(op, width.into(), x, y);
                assert_eq!(free.run(x, y), expected, "{x} {op:?} {y} at {width} bits");
            }
            let y = value_of_width(&mut random, width);
            let mut by_constant = circuit(op, width, Some(y));
            for _ in 0..4 {
                let x = value_of_width(&mut random, width);
                let expected = reference(op, width.into(), x, y);
                assert_eq!(by_constant.run(x, y), expected, "{x} {op:?} constant {y} at {width} bits");
            }
        }
    }
}

#[test]
fn folding_agrees_with_the_reference() {
    let mut random = Random::new(11);
    let mut terms = Terms::new();
    for width in (1..=128).chain(1..=4) {
        for op in BinaryOp::ALL {
            for _ in 0..20 {
                let (x, y) = (value_of_width(&mut random, width), value_of_width(&mut random, width));
                let (a, b) = (terms.constant(width, x), terms.constant(width, y));
                let folded = terms.binary(op, a, b);
                let expected = reference(op, width.into(), x, y);
                assert_eq!(terms.as_const(folded), Some(expected), "{x} {op:?} {y} at {width} bits");
            }
        }
    }
}
