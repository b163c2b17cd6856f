//! Terms as text that reads like C: infix, few parentheses; unsigned operators carry a `u`.

use super::BinaryOp::*;
use super::{BinaryOp, Node, Sort, Term, Terms, fold};
use std::fmt;

/// Nodes printed before the rest is cut to `…`: a graph printed as a tree can be exponentially larger.
const LIMIT: usize = 4000;

/// A term that prints itself.
pub struct Displayed<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term in infix notation, for people: `x == 2 && y < 3`.
    pub fn display(&self, t: Term) -> Displayed<'_> {
        Displayed { terms: self, term: t }
    }
}

/// Binding strength, as in C; a larger number binds tighter.
type Strength = u8;
const LOWEST: Strength = 0;
const IF: Strength = 1;
const UNARY: Strength = 12;
const ATOM: Strength = 13;

enum Item {
    Text(&'static str),
    Owned(String),
    /// A term, whether it is negated, and the strength its surroundings need.
    Term(Term, bool, Strength),
    /// A constant read as unsigned, whatever its top bit.
    Unsigned(Term),
}

fn operator(op: BinaryOp, truth: bool, negated: bool) -> (&'static str, Strength) {
    match (op, negated) {
        (Mul, _) => (" * ", 11),
        (UDiv, _) => (" /u ", 11),
        (SDiv, _) => (" / ", 11),
        (URem, _) => (" %u ", 11),
        (SRem, _) => (" % ", 11),
        (Add, _) => (" + ", 10),
        (Sub, _) => (" - ", 10),
        (Shl, _) => (" << ", 9),
        (LShr, _) => (" >>u ", 9),
        (AShr, _) => (" >> ", 9),
        (ULt, false) => (" <u ", 8),
        (ULe, false) => (" <=u ", 8),
        (SLt, false) => (" < ", 8),
        (SLe, false) => (" <= ", 8),
        (ULt, true) => (" >=u ", 8),
        (ULe, true) => (" >u ", 8),
        (SLt, true) => (" >= ", 8),
        (SLe, true) => (" > ", 8),
        (Eq, false) => (" == ", 7),
        (Eq, true) => (" != ", 7),
        (And, false) | (Or, true) if truth => (" && ", 3),
        (Or, false) | (And, true) if truth => (" || ", 2),
        (And, _) => (" & ", 6),
        (Xor, _) => (" ^ ", 5),
        (Or, _) => (" | ", 4),
    }
}

impl Displayed<'_> {
    /// Pushes what a term consists of, the last part first.
    fn expand(&self, t: Term, negated: bool, needed: Strength, stack: &mut Vec<Item>) {
        let terms = self.terms;
        let sort = terms.sort(t);
        let truth = sort == Sort::BOOL;
        let node = terms.node(t);
        let mut parts: Vec<Item> = Vec::new();
        let strength = match node {
            Node::Const { width, bits } => {
                parts.push(Item::Owned(constant(width, bits, negated)));
                if parts_negative(&parts) { UNARY } else { ATOM }
            }
            Node::Not(x) if truth => {
                stack.push(Item::Term(x, !negated, needed));
                return;
            }
            Node::Binary(op, a, b) => {
                let over_truths = truth && terms.sort(a) == Sort::BOOL;
                let (mut text, strength) = operator(op, over_truths, negated);
                let below = negated && over_truths && matches!(op, And | Or);
                let associative = matches!(op, Add | Mul | And | Or | Xor);
                let unsigned = matches!(op, UDiv | URem | ULt | ULe);
                let mut rhs = None;
                if op == Add
                    && let Node::Const { width, bits } = terms.node(b)
                    && width > 1
                    && bits > fold::sign_bit(width)
                {
                    // x + 0xff…f reads x - 1.
                    text = " - ";
                    rhs = Some(Item::Owned(fold::mask(width, bits.wrapping_neg()).to_string()));
                }
                let operand = |t: Term, strength: Strength| {
                    if unsigned && terms.as_const(t).is_some() {
                        Item::Unsigned(t)
                    } else {
                        Item::Term(t, below, strength)
                    }
                };
                parts.push(operand(a, strength));
                parts.push(Item::Text(text));
                parts.push(rhs.unwrap_or_else(|| operand(b, if associative { strength } else { strength + 1 })));
                if negated && !below && !op.is_comparison() {
                    // A negated bit that is no connective: an exclusive or.
                    parts.insert(0, Item::Text("!("));
                    parts.push(Item::Text(")"));
                    UNARY
                } else {
                    strength
                }
            }
            Node::Ite(cond, yes, no) => {
                parts.push(Item::Term(cond, false, IF + 1));
                parts.push(Item::Text(" ? "));
                parts.push(Item::Term(yes, negated, IF + 1));
                parts.push(Item::Text(" : "));
                parts.push(Item::Term(no, negated, IF));
                IF
            }
            _ => {
                if negated {
                    parts.push(Item::Text("!"));
                }
                let strength = self.primary(node, sort, &mut parts);
                if negated { UNARY.min(strength) } else { strength }
            }
        };
        if strength < needed {
            parts.insert(0, Item::Text("("));
            parts.push(Item::Text(")"));
        }
        stack.extend(parts.into_iter().rev());
    }

    fn primary(&self, node: Node, sort: Sort, parts: &mut Vec<Item>) -> Strength {
        match node {
            Node::Symbol(symbol) => {
                parts.push(Item::Owned(self.terms.symbol_name(symbol).to_owned()));
                ATOM
            }
            Node::Not(x) => {
                parts.extend([Item::Text("~"), Item::Term(x, false, UNARY)]);
                UNARY
            }
            Node::Neg(x) => {
                parts.extend([Item::Text("-"), Item::Term(x, false, UNARY)]);
                UNARY
            }
            Node::ZExt(x, width) => {
                parts.extend([Item::Owned(format!("(u{width}) ")), Item::Term(x, false, UNARY)]);
                UNARY
            }
            Node::SExt(x, width) => {
                parts.extend([Item::Owned(format!("(i{width}) ")), Item::Term(x, false, UNARY)]);
                UNARY
            }
            Node::Extract { arg, lo, width } => {
                let range = format!("[{}:{lo}]", lo + width - 1);
                parts.extend([Item::Term(arg, false, ATOM), Item::Owned(range)]);
                ATOM
            }
            Node::Concat(high, low) => {
                parts.extend([Item::Term(high, false, 10), Item::Text(" :: "), Item::Term(low, false, 9)]);
                9
            }
            Node::Float(op, a, b, _) => {
                parts.push(Item::Owned(op.name() + "("));
                parts.push(Item::Term(a, false, LOWEST));
                if op.kind.is_binary() {
                    parts.extend([Item::Text(", "), Item::Term(b, false, LOWEST)]);
                }
                parts.push(Item::Text(")"));
                ATOM
            }
            Node::Select(array, at) => {
                parts.extend([Item::Term(array, false, ATOM), Item::Text("["), Item::Term(at, false, LOWEST)]);
                parts.push(Item::Text("]"));
                ATOM
            }
            Node::Store(array, at, value) => {
                parts.extend([Item::Term(array, false, ATOM), Item::Text("{["), Item::Term(at, false, LOWEST)]);
                parts.extend([Item::Text("] = "), Item::Term(value, false, LOWEST), Item::Text("}")]);
                ATOM
            }
            Node::ConstArray { value, .. } => {
                parts.extend([Item::Text("{"), Item::Term(value, false, LOWEST), Item::Text("...}")]);
                ATOM
            }
            Node::Splice { base, source, to, from, size } => {
                parts.extend([Item::Term(base, false, ATOM), Item::Text("{["), Item::Term(to, false, LOWEST)]);
                parts.extend([Item::Text(" +: "), Item::Term(size, false, LOWEST), Item::Text("] = ")]);
                parts.extend([Item::Term(source, false, ATOM), Item::Text("["), Item::Term(from, false, LOWEST)]);
                parts.push(Item::Text(" ...]}"));
                ATOM
            }
            Node::Const { .. } | Node::Binary(..) | Node::Ite(..) => unreachable!("{node:?} of {sort:?} is no primary"),
        }
    }
}

fn parts_negative(parts: &[Item]) -> bool {
    matches!(parts, [Item::Owned(text)] if text.starts_with('-'))
}

fn constant(width: u16, bits: u128, negated: bool) -> String {
    match (width, (bits == 1) != negated) {
        (1, true) => "true".to_owned(),
        (1, false) => "false".to_owned(),
        _ => fold::signed(width, bits).to_string(),
    }
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Item::Term(self.term, false, LOWEST)];
        let mut printed = 0;
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => f.write_str(text)?,
                Item::Owned(text) => f.write_str(&text)?,
                Item::Unsigned(t) => write!(f, "{}", self.terms.as_const(t).expect("a constant"))?,
                Item::Term(..) if printed >= LIMIT => f.write_str("…")?,
                Item::Term(t, negated, needed) => {
                    printed += 1;
                    self.expand(t, negated, needed, &mut stack);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(build: impl FnOnce(&mut Terms, [Term; 3]) -> Term, expected: &str) {
        let mut terms = Terms::new();
        let names = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let t = build(&mut terms, names);
        assert_eq!(terms.display(t).to_string(), expected);
    }

    #[test]
    fn reads_like_c() {
        check(
            |t, [x, y, _]| {
                let (two, three) = (t.constant(32, 2), t.constant(32, 3));
                let (a, b) = (t.eq(x, two), t.slt(y, three));
                t.and(a, b)
            },
            "x == 2 && y < 3",
        );
        check(
            |t, [x, y, _]| {
                let (two, three) = (t.constant(32, 2), t.constant(32, 3));
                let (a, b) = (t.ne(x, two), t.ule(three, y));
                t.and(a, b)
            },
            "x != 2 && y >=u 3",
        );
        check(
            |t, [x, y, z]| {
                let one = t.constant(32, 1);
                let difference = t.sub(x, one);
                let sum = t.sub(y, difference);
                t.mul(sum, z)
            },
            "z * (y - x + 1)",
        );
        check(
            |t, [x, y, z]| {
                let c = t.sle(x, y);
                let inner = t.ite(c, z, x);
                t.ashr(inner, y)
            },
            "(y < x ? x : z) >> y",
        );
    }

    #[test]
    fn constants_have_signs_where_operators_have() {
        check(
            |t, [x, ..]| {
                let k = t.constant(32, u128::MAX - 4);
                t.slt(x, k)
            },
            "x < -5",
        );
        check(
            |t, [x, ..]| {
                let k = t.constant(32, 0xffff_fff0);
                t.ult(x, k)
            },
            "x <u 4294967280",
        );
    }

    #[test]
    fn connectives_need_few_parentheses() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::BOOL));
        let either = terms.or(a, b);
        let t = terms.and(either, c);
        assert_eq!(terms.display(t).to_string(), "c && (a || b)");
        let (not_a, not_b) = (terms.not(a), terms.not(b));
        let t = terms.and(not_a, not_b);
        assert_eq!(terms.display(t).to_string(), "!a && !b");
        let t = terms.or(t, c);
        assert_eq!(terms.display(t).to_string(), "c || !a && !b");
        let t = terms.not(t);
        assert_eq!(terms.display(t).to_string(), "!c && (a || b)");
    }

    #[test]
    fn arrays() {
        let mut terms = Terms::new();
        let a = terms.symbol("a", Sort::Array { index: 32, element: 8 });
        let [i, j] = ["i", "j"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let v = terms.constant(8, 7);
        let stored = terms.store(a, i, v);
        let read = terms.select(stored, j);
        assert_eq!(terms.display(read).to_string(), "a{[i] = 7}[j]");
    }
}
