//! Formulas as C that a person reads: what [`expression`](super::expression) writes for programs, without the casts.
//!
//! A formula knows no signs, so an expression that means exactly the same in C casts every variable. A reader takes the sign
//! from the variable: `x < 5` of an `int` is a signed comparison. Here only what differs from that is said. Sums are those of
//! machine words in both. Bounds of one expression stand together: `0 <= i && i <= 7`.

use super::expression::Scope;
use robusto_logic::{BinaryOp, Node, Term};
use std::collections::HashMap;

/// How strongly operators bind, as in C.
mod binds {
    pub const CHOICE: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const BIT_OR: u8 = 3;
    pub const BIT_XOR: u8 = 4;
    pub const BIT_AND: u8 = 5;
    pub const EQUAL: u8 = 6;
    pub const LESS: u8 = 7;
    pub const SHIFT: u8 = 8;
    pub const SUM: u8 = 9;
    pub const PRODUCT: u8 = 10;
    pub const UNARY: u8 = 11;
    pub const PRIMARY: u8 = 12;
}

/// A text and how strongly its outermost operator binds.
struct Text(String, u8);

impl Text {
    /// The text where something that binds at least so strongly is needed.
    fn within(self, strength: u8) -> String {
        if self.1 >= strength { self.0 } else { format!("({})", self.0) }
    }
}

/// Bounds of an expression under one sign.
#[derive(Clone, Copy, Default)]
struct Bounds {
    least: Option<i128>,
    most: Option<i128>,
}

/// A conjunction for people; what cannot be said is left out. `None` if nothing can be said.
pub(super) fn conjunction(scope: &Scope<'_, '_>, conjuncts: &[Term]) -> Option<String> {
    let parts = Reader { scope }.parts(conjuncts);
    (!parts.is_empty()).then(|| parts.join(" && "))
}

struct Reader<'s, 'p, 'f> {
    scope: &'s Scope<'p, 'f>,
}

impl Reader<'_, '_, '_> {
    /// The conjuncts, those that bound the same expression as one.
    fn parts(&self, conjuncts: &[Term]) -> Vec<String> {
        let mut bounds: HashMap<(Term, bool), Bounds> = HashMap::new();
        let mut order: Vec<Result<Term, (Term, bool)>> = Vec::new();
        for &conjunct in conjuncts {
            let Some((term, signed, bound)) = self.bound(conjunct) else {
                order.push(Ok(conjunct));
                continue;
            };
            let known = bounds.entry((term, signed)).or_insert_with(|| {
                order.push(Err((term, signed)));
                Bounds::default()
            });
            known.least = known.least.into_iter().chain(bound.least).max();
            known.most = known.most.into_iter().chain(bound.most).min();
        }
        let said = order.into_iter().filter_map(|part| match part {
            Ok(conjunct) => Some(self.implied(conjunct)?.within(binds::AND)),
            Err((term, signed)) => self.bounded(term, signed, bounds[&(term, signed)]),
        });
        said.collect()
    }

    /// An expression that is compared with a constant: the expression, the sign, the bound.
    fn bound(&self, t: Term) -> Option<(Term, bool, Bounds)> {
        let terms = &self.scope.encoder.terms;
        let (t, holds) = match terms.node(t) {
            Node::Not(x) => (x, false),
            _ => (t, true),
        };
        let Node::Binary(op, a, b) = terms.node(t) else { return None };
        let (signed, strict) = match op {
            BinaryOp::SLt => (true, true),
            BinaryOp::SLe => (true, false),
            BinaryOp::ULt => (false, true),
            BinaryOp::ULe => (false, false),
            _ => return None,
        };
        let less = i128::from(strict);
        let (term, bound) = match (self.number(a, signed), self.number(b, signed), holds) {
            (None, Some(n), true) => (a, Bounds { most: Some(n - less), least: None }),
            (None, Some(n), false) => (a, Bounds { least: Some(n + 1 - less), most: None }),
            (Some(n), None, true) => (b, Bounds { least: Some(n + less), most: None }),
            (Some(n), None, false) => (b, Bounds { most: Some(n - 1 + less), least: None }),
            _ => return None,
        };
        // Below the sign bit, an unsigned bound of a signed number is one from zero on.
        let largest = (1i128 << (terms.width(term) - 1)) - 1;
        match bound.most {
            Some(most) if !signed && most <= largest && self.sign(term) == Some(true) => {
                Some((term, true, Bounds { least: Some(0), most: Some(most) }))
            }
            _ => Some((term, signed, bound)),
        }
    }

    fn bounded(&self, term: Term, signed: bool, Bounds { least, most }: Bounds) -> Option<String> {
        let text = self.side(term, Some(signed))?;
        Some(match (least, most) {
            (Some(least), Some(most)) if least == most => format!("{} == {least}", text.within(binds::EQUAL)),
            (Some(least), Some(most)) => {
                let text = text.within(binds::SHIFT);
                format!("{least} <= {text} && {text} <= {most}")
            }
            (Some(least), None) => format!("{} >= {least}", text.within(binds::SHIFT)),
            (None, Some(most)) => format!("{} <= {most}", text.within(binds::SHIFT)),
            (None, None) => return None,
        })
    }

    /// Something that follows from a truth value: it itself, if it can be said.
    fn implied(&self, t: Term) -> Option<Text> {
        match self.scope.encoder.terms.node(t) {
            Node::Binary(BinaryOp::And, ..) if self.scope.encoder.terms.width(t) == 1 => {
                let mut conjuncts = Vec::new();
                self.flatten(BinaryOp::And, t, &mut conjuncts);
                let parts = self.parts(&conjuncts);
                let strength = if parts.len() == 1 && !parts[0].contains("&&") { binds::EQUAL } else { binds::AND };
                (!parts.is_empty()).then(|| Text(parts.join(" && "), strength))
            }
            Node::Binary(BinaryOp::Or, a, b) if self.scope.encoder.terms.width(t) == 1 => {
                let sides = [self.implied(a)?.within(binds::OR), self.implied(b)?.within(binds::OR)];
                Some(Text(sides.join(" || "), binds::OR))
            }
            _ => match self.bound(t) {
                Some((term, signed, bounds)) => Some(Text(self.bounded(term, signed, bounds)?, binds::EQUAL)),
                None => self.truth(t),
            },
        }
    }

    /// The operands of nested operators.
    fn flatten(&self, op: BinaryOp, t: Term, out: &mut Vec<Term>) {
        match self.scope.encoder.terms.node(t) {
            Node::Binary(own, a, b) if own == op => {
                self.flatten(op, a, out);
                self.flatten(op, b, out);
            }
            _ => out.push(t),
        }
    }

    /// A truth value.
    fn truth(&self, t: Term) -> Option<Text> {
        let terms = &self.scope.encoder.terms;
        Some(match terms.node(t) {
            Node::Const { bits, .. } => Text(bits.to_string(), binds::PRIMARY),
            Node::Not(x) => match terms.node(x) {
                Node::Binary(BinaryOp::Eq, a, b) if terms.width(a) > 1 => self.compare("!=", a, b, None)?,
                Node::Binary(BinaryOp::ULt, a, b) => self.compare(">=", a, b, Some(false))?,
                Node::Binary(BinaryOp::SLt, a, b) => self.compare(">=", a, b, Some(true))?,
                Node::Binary(BinaryOp::ULe, a, b) => self.compare(">", a, b, Some(false))?,
                Node::Binary(BinaryOp::SLe, a, b) => self.compare(">", a, b, Some(true))?,
                _ => Text(format!("!{}", self.truth(x)?.within(binds::UNARY)), binds::UNARY),
            },
            Node::Binary(op, a, b) if terms.width(a) == 1 => {
                let (operator, strength) = match op {
                    BinaryOp::And => ("&&", binds::AND),
                    BinaryOp::Or => ("||", binds::OR),
                    BinaryOp::Eq => ("==", binds::EQUAL),
                    BinaryOp::Xor => ("!=", binds::EQUAL),
                    _ => return None,
                };
                let (a, b) = (self.truth(a)?.within(strength), self.truth(b)?.within(strength));
                Text(format!("{a} {operator} {b}"), strength)
            }
            Node::Binary(BinaryOp::Eq, a, b) => self.compare("==", a, b, None)?,
            Node::Binary(BinaryOp::ULt, a, b) => self.compare("<", a, b, Some(false))?,
            Node::Binary(BinaryOp::ULe, a, b) => self.compare("<=", a, b, Some(false))?,
            Node::Binary(BinaryOp::SLt, a, b) => self.compare("<", a, b, Some(true))?,
            Node::Binary(BinaryOp::SLe, a, b) => self.compare("<=", a, b, Some(true))?,
            Node::Ite(c, x, y) => {
                let (c, x, y) = (self.truth(c)?.within(binds::OR), self.truth(x)?, self.truth(y)?);
                Text(format!("{c} ? {} : {}", x.within(binds::OR), y.within(binds::OR)), binds::CHOICE)
            }
            Node::Extract { arg, lo: 0, width: 1 } => {
                Text(format!("{} & 1", self.word(arg)?.within(binds::EQUAL)), binds::BIT_AND)
            }
            Node::Extract { arg, lo, width: 1 } => {
                Text(format!("{} >> {lo} & 1", self.word(arg)?.within(binds::SHIFT)), binds::BIT_AND)
            }
            _ => return None,
        })
    }

    fn compare(&self, operator: &str, a: Term, b: Term, signed: Option<bool>) -> Option<Text> {
        // A constant has the sign of the other side.
        let sign = signed.or_else(|| self.sign(a)).or_else(|| self.sign(b)).unwrap_or(true);
        let strength = if signed.is_none() { binds::EQUAL } else { binds::LESS };
        let side = |t: Term| match self.number(t, sign) {
            Some(number) => Some(number.to_string()),
            None => Some(self.side(t, signed)?.within(binds::SHIFT)),
        };
        let (left, right) = (side(a)?, side(b)?);
        // People write the constant behind.
        let is_equality = signed.is_none();
        let text = match is_equality && self.number(a, sign).is_some() {
            true => format!("{right} {operator} {left}"),
            false => format!("{left} {operator} {right}"),
        };
        Some(Text(text, strength))
    }

    /// One side of a comparison under a sign; a cast where its own sign is the other one.
    fn side(&self, t: Term, signed: Option<bool>) -> Option<Text> {
        let text = self.word(t)?;
        match (signed, self.sign(t)) {
            (Some(signed), Some(own)) if signed != own => {
                let ty = if signed { "(int)" } else { "(unsigned)" };
                Some(Text(format!("{ty}{}", text.within(binds::UNARY)), binds::UNARY))
            }
            _ => Some(text),
        }
    }

    fn number(&self, t: Term, signed: bool) -> Option<i128> {
        let terms = &self.scope.encoder.terms;
        let (bits, width) = (terms.as_const(t)?, terms.width(t));
        let unused = 128 - u32::from(width);
        Some(if signed { (bits as i128) << unused >> unused } else { bits as i128 })
    }

    /// The sign that a reader takes an expression to have: that of its variables, if they agree.
    fn sign(&self, t: Term) -> Option<bool> {
        let terms = &self.scope.encoder.terms;
        match terms.node(t) {
            Node::Symbol(symbol) => self.scope.sign(symbol),
            Node::Not(x) | Node::Neg(x) | Node::ZExt(x, _) | Node::SExt(x, _) => self.sign(x),
            Node::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, a, _) => self.sign(a),
            Node::Binary(_, a, b) | Node::Ite(_, a, b) => match (self.sign(a), self.sign(b)) {
                (Some(a), Some(b)) => Some(a && b),
                (one, other) => one.or(other),
            },
            Node::Extract { arg, .. } => self.sign(arg),
            _ => None,
        }
    }

    /// A bit-vector.
    fn word(&self, t: Term) -> Option<Text> {
        let terms = &self.scope.encoder.terms;
        Some(match terms.node(t) {
            Node::Const { .. } => {
                let number = self.number(t, true)?;
                Text(number.to_string(), if number < 0 { binds::UNARY } else { binds::PRIMARY })
            }
            Node::Symbol(symbol) => Text(self.scope.variable(symbol)?.into_owned(), binds::PRIMARY),
            Node::Not(x) => Text(format!("~{}", self.word(x)?.within(binds::UNARY)), binds::UNARY),
            Node::Neg(x) => Text(format!("-{}", self.word(x)?.within(binds::PRIMARY)), binds::UNARY),
            Node::Binary(BinaryOp::Add, a, b) => match (self.number(a, true), self.number(b, true)) {
                (_, Some(n)) if n < 0 && n > i128::from(i64::MIN) => self.difference(a, -n)?,
                (Some(n), _) if n < 0 && n > i128::from(i64::MIN) => self.difference(b, -n)?,
                _ => match (terms.node(a), terms.node(b)) {
                    (_, Node::Neg(x)) => self.binary("-", binds::SUM, a, x)?,
                    (Node::Neg(x), _) => self.binary("-", binds::SUM, b, x)?,
                    _ => self.binary("+", binds::SUM, a, b)?,
                },
            },
            Node::Binary(op, a, b) => {
                let (operator, strength) = match op {
                    BinaryOp::Sub => ("-", binds::SUM),
                    BinaryOp::Mul => ("*", binds::PRODUCT),
                    BinaryOp::And => ("&", binds::BIT_AND),
                    BinaryOp::Or => ("|", binds::BIT_OR),
                    BinaryOp::Xor => ("^", binds::BIT_XOR),
                    BinaryOp::UDiv if terms.as_const(b).is_some_and(|b| b != 0) => ("/", binds::PRODUCT),
                    BinaryOp::URem if terms.as_const(b).is_some_and(|b| b != 0) => ("%", binds::PRODUCT),
                    BinaryOp::Shl => ("<<", binds::SHIFT),
                    BinaryOp::LShr => (">>", binds::SHIFT),
                    _ => return None,
                };
                self.binary(operator, strength, a, b)?
            }
            Node::Ite(c, x, y) => {
                let (c, x, y) = (self.truth(c)?.within(binds::OR), self.word(x)?, self.word(y)?);
                Text(format!("{c} ? {} : {}", x.within(binds::OR), y.within(binds::OR)), binds::CHOICE)
            }
            Node::Extract { arg, lo: 0, width } => {
                let ty = super::expression::type_of(width, self.sign(arg).unwrap_or(false))?;
                Text(format!("({ty}){}", self.word(arg)?.within(binds::UNARY)), binds::UNARY)
            }
            Node::Extract { arg, lo, .. } => {
                Text(format!("{} >> {lo}", self.word(arg)?.within(binds::SHIFT)), binds::SHIFT)
            }
            Node::ZExt(x, _) if terms.width(x) == 1 => self.truth(x)?,
            // Wider types hold the same numbers.
            Node::ZExt(x, _) | Node::SExt(x, _) => self.word(x)?,
            _ => return None,
        })
    }

    fn binary(&self, operator: &str, strength: u8, a: Term, b: Term) -> Option<Text> {
        let (a, b) = (self.word(a)?.within(strength), self.word(b)?.within(strength + 1));
        Some(Text(format!("{a} {operator} {b}"), strength))
    }

    fn difference(&self, a: Term, less: i128) -> Option<Text> {
        Some(Text(format!("{} - {less}", self.word(a)?.within(binds::SUM)), binds::SUM))
    }
}
