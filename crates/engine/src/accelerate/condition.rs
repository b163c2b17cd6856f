//! For which n the condition of an iteration holds n times in a row.
//!
//! A comparison of two values that both grow by the same amount in each iteration is a comparison of two linear functions of
//! k, as long as nothing wraps around. As numbers that do not wrap (in words that are wide enough), linear functions are
//! between 0 and k where they are at 0 and at k; so it is enough to ask at both ends, that they are in the range of their types
//! and that one is less than the other (*convexity*; Frohn's monotonicity, TACAS 2020, in both directions at once). That
//! two values differ is a question modulo 2^w, which has an answer of its own: `c·k = d` has the solutions
//! `k = d/2ᵉ · (c/2ᵉ)⁻¹ modulo 2^(w-e)`, where 2ᵉ is the greatest power of two that divides c, if it divides d.
//!
//! What wraps around before the comparison fails is left to unrolling. So that a closed form says which iterations it
//! covers, conditions under which a step cannot jump over the bound and wrap around ([`Held::sooner`]) go with it.

use super::linear::Sum;
use super::recurrence::Recurrences;
use crate::unroll::binomial::{inverse, resized};
use robusto_logic::term::fold::signed;
use robusto_logic::{BinaryOp, Node, Term, Terms};

/// A condition over n iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// It holds in the iterations 0 to k.
    pub until: Term,
    /// A condition on what never changes: where it holds, the comparison fails before anything wraps around.
    pub sooner: Term,
    /// How often it holds, if it does at first; `None` where that is not known.
    pub times: Option<Term>,
}

/// When a comparison holds in all iterations from 0 to `last`; `None` if this is no comparison of that kind.
pub(super) fn held(terms: &mut Terms, cells: &Recurrences, condition: Term, last: Term) -> Option<Held> {
    let (negated, t) = match terms.node(condition) {
        Node::Not(t) => (true, t),
        _ => (false, condition),
    };
    let Node::Binary(op, a, b) = terms.node(t) else { return None };
    match (op, negated) {
        (BinaryOp::Eq, true) => differ(terms, cells, a, b, last),
        // 0 < b means that b is not 0, which is a question without order.
        (BinaryOp::ULt, false) if terms.as_const(a) == Some(0) => match differ(terms, cells, a, b, last) {
            None => less(terms, cells, condition, [a, b], (false, true), last),
            held => held,
        },
        (BinaryOp::ULt, false) => less(terms, cells, condition, [a, b], (false, true), last),
        (BinaryOp::ULe, false) => less(terms, cells, condition, [a, b], (false, false), last),
        (BinaryOp::SLt, false) => less(terms, cells, condition, [a, b], (true, true), last),
        (BinaryOp::SLe, false) => less(terms, cells, condition, [a, b], (true, false), last),
        (BinaryOp::ULt, true) => less(terms, cells, condition, [b, a], (false, false), last),
        (BinaryOp::ULe, true) => less(terms, cells, condition, [b, a], (false, true), last),
        (BinaryOp::SLt, true) => less(terms, cells, condition, [b, a], (true, false), last),
        (BinaryOp::SLe, true) => less(terms, cells, condition, [b, a], (true, true), last),
        _ => None,
    }
}

/// `a ≠ b` in all iterations from 0 to `last`.
fn differ(terms: &mut Terms, cells: &Recurrences, a: Term, b: Term, last: Term) -> Option<Held> {
    let width = terms.width(a);
    let mut slope = Sum { width, constant: 0, terms: Default::default() };
    for (side, sign) in [(a, 1), (b, u128::MAX)] {
        for (summand, factor) in Sum::of(terms, side).terms {
            if cells.moves(terms, summand) {
                let grows = cells.slope(summand)?;
                slope.add(&Sum::of(terms, grows), factor.wrapping_mul(sign));
            }
        }
    }
    if !slope.terms.is_empty() || slope.constant == 0 || terms.width(last) < width {
        return None;
    }
    let twos = slope.constant.trailing_zeros() as u16;
    let distance = terms.sub(b, a);
    let left = width - twos;
    let quotient = terms.extract(distance, twos, left);
    let factor = terms.constant(left, inverse(slope.constant >> twos, left));
    let first = terms.mul(quotient, factor);
    let first = resized(terms, first, terms.width(last));
    let sooner = terms.ult(last, first);
    let until = match twos {
        0 => sooner,
        _ => {
            let rest = terms.extract(distance, 0, twos);
            let zero = terms.constant(twos, 0);
            let never = terms.ne(rest, zero);
            terms.or(never, sooner)
        }
    };
    Some(Held { until, sooner: terms.yes(), times: (twos == 0).then_some(first) })
}

/// `a < b` or, if not strict, `a ≤ b`, in all iterations from 0 to `last`.
fn less(
    terms: &mut Terms,
    cells: &Recurrences,
    condition: Term,
    sides: [Term; 2],
    (is_signed, strict): (bool, bool),
    last: Term,
) -> Option<Held> {
    let count = terms.width(last);
    // One bit for the sign, one for the sum.
    let width = (terms.width(sides[0]) + count + 2).min(128);
    let mut lines = Lines { cells, last, width, within: vec![condition] };
    let [a, b] = [lines.line(terms, sides[0], is_signed)?, lines.line(terms, sides[1], is_signed)?];
    // Nothing is widened: besides the condition there is only the range of the one that moves.
    let is_widened = |&side: &Term| matches!(terms.node(side), Node::SExt(..) | Node::ZExt(..));
    let plain = lines.within.len() == 3 && !sides.iter().any(is_widened);
    let (compared, times) = match approach(terms, &a, &b) {
        Some(step) => {
            // k steps are less than the distance, which the condition says is not negative. Then nothing has wrapped around on the
            // way to a bound of the same type.
            let distance = if plain {
                lines.within.truncate(1);
                terms.sub(sides[1], sides[0])
            } else {
                terms.sub(b.start, a.start)
            };
            (nearer(terms, distance, step, strict, last, width), Some(times(terms, distance, step, strict, count)))
        }
        None => (if strict { terms.slt(a.value, b.value) } else { terms.sle(a.value, b.value) }, None),
    };
    lines.within.push(compared);
    let until = terms.and_all(&lines.within);
    let one = terms.constant(width, u128::from(strict));
    let zero = terms.constant(width, 0);
    let sooner = match (a.slope, b.slope) {
        // a + slope ≤ b - 1 + slope, which has to be in range.
        (Some(slope), None) => {
            let next = terms.add(b.value, slope);
            let next = terms.sub(next, one);
            let fits = terms.sle(next, a.range[1]);
            let up = terms.slt(zero, slope);
            terms.implies(up, fits)
        }
        (None, Some(slope)) => {
            let next = terms.add(a.value, slope);
            let next = terms.add(next, one);
            let fits = terms.sle(b.range[0], next);
            let down = terms.slt(slope, zero);
            terms.implies(down, fits)
        }
        _ => terms.yes(),
    };
    Some(Held { until, sooner, times })
}

/// How much nearer two values come in each iteration, where one of both grows by a constant and the other stays.
fn approach(terms: &Terms, a: &Line, b: &Line) -> Option<u128> {
    let width = terms.width(a.value);
    let step = match (a.slope, b.slope) {
        (Some(slope), None) => signed(width, terms.as_const(slope)?),
        (None, Some(slope)) => -signed(width, terms.as_const(slope)?),
        _ => return None,
    };
    u128::try_from(step).ok().filter(|&step| step > 0)
}

/// That `last` steps are less than a distance, which is not negative.
fn nearer(terms: &mut Terms, distance: Term, step: u128, strict: bool, last: Term, width: u16) -> Term {
    let (way, distance) = match step {
        1 => {
            let width = terms.width(last).max(terms.width(distance));
            (terms.zext(last, width), terms.zext(distance, width))
        }
        _ => {
            let (last, step) = (terms.zext(last, width), terms.constant(width, step));
            (terms.mul(last, step), terms.zext(distance, width))
        }
    };
    if strict { terms.ult(way, distance) } else { terms.ule(way, distance) }
}

/// The least number of steps that is not less than a distance, or more.
fn times(terms: &mut Terms, distance: Term, step: u128, strict: bool, count: u16) -> Term {
    // One more bit for what is added.
    let width = (terms.width(distance) + 1).max(count).min(128);
    let distance = terms.zext(distance, width);
    let rounding = terms.constant(width, step - u128::from(strict));
    let distance = terms.add(distance, rounding);
    let step = terms.constant(width, step);
    let times = terms.udiv(distance, step);
    resized(terms, times, count)
}

/// A value in iteration k, as a number that does not wrap around.
struct Line {
    /// The value in iteration 0.
    start: Term,
    /// The value in iteration k.
    value: Term,
    /// What it grows by; `None` if it stays.
    slope: Option<Term>,
    /// The least and the greatest number of its type.
    range: [Term; 2],
}

struct Lines<'r> {
    cells: &'r Recurrences,
    last: Term,
    /// Width of the numbers that do not wrap around.
    width: u16,
    /// What has to hold so that they are the values of the terms.
    within: Vec<Term>,
}

impl Lines<'_> {
    fn line(&mut self, terms: &mut Terms, t: Term, is_signed: bool) -> Option<Line> {
        match terms.node(t) {
            Node::SExt(inner, _) if is_signed => return self.line(terms, inner, true),
            Node::ZExt(inner, _) => return self.line(terms, inner, false),
            _ => {}
        }
        let range = range(terms, terms.width(t), is_signed, self.width);
        let start = extended(terms, t, is_signed, self.width);
        if !self.cells.moves(terms, t) {
            return Some(Line { start, value: start, slope: None, range });
        }
        let slope = self.slope(terms, t)?;
        // The product must fit: a slope of w bits does where there is room for it, else it has to be a small number.
        let room = self.width - terms.width(self.last) - 2;
        if terms.width(t) > room {
            let bits = signed(terms.width(t), terms.as_const(slope)?);
            if bits.unsigned_abs() >> (room - 1) != 0 {
                return None;
            }
        }
        let slope = terms.sext(slope, self.width);
        let times = terms.zext(self.last, self.width);
        let way = terms.mul(slope, times);
        let value = terms.add(start, way);
        let [least, greatest] = range;
        let (low, high) = (terms.sle(least, value), terms.sle(value, greatest));
        self.within.extend([low, high]);
        Some(Line { start, value, slope: Some(slope), range })
    }

    /// What a term grows by in each iteration.
    fn slope(&mut self, terms: &mut Terms, t: Term) -> Option<Term> {
        let width = terms.width(t);
        let mut slope = terms.constant(width, 0);
        for (summand, factor) in Sum::of(terms, t).terms {
            if !self.cells.moves(terms, summand) {
                continue;
            }
            let grows = match (self.cells.slope(summand), terms.node(summand)) {
                (Some(grows), _) => grows,
                // It grows like what is widened, as long as that does not wrap around.
                (None, Node::SExt(inner, _)) => self.widened(terms, inner, true, width)?,
                (None, Node::ZExt(inner, _)) => self.widened(terms, inner, false, width)?,
                _ => return None,
            };
            let product = super::linear::scaled(terms, grows, factor);
            slope = terms.add(slope, product);
        }
        Some(slope)
    }

    fn widened(&mut self, terms: &mut Terms, inner: Term, signed: bool, width: u16) -> Option<Term> {
        self.line(terms, inner, signed)?;
        let slope = self.slope(terms, inner)?;
        Some(terms.sext(slope, width))
    }
}

/// The numbers of a type.
fn range(terms: &mut Terms, width: u16, signed: bool, wide: u16) -> [Term; 2] {
    let one = 1u128;
    let ones = |bits: u16| if bits >= 128 { u128::MAX } else { (one << bits) - 1 };
    let (least, greatest) = if signed { (ones(wide) ^ ones(width - 1), ones(width - 1)) } else { (0, ones(width)) };
    [least, greatest].map(|bits| terms.constant(wide, bits))
}

fn extended(terms: &mut Terms, t: Term, signed: bool, width: u16) -> Term {
    if signed { terms.sext(t, width) } else { terms.zext(t, width) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_logic::{Model, Sort};

    /// All comparisons of values of three bits with all slopes, against iteration: what is claimed holds; and where a value grows
    /// towards a bound that no step jumps over, all that holds is claimed.
    #[test]
    fn conditions_hold_as_often_as_claimed() {
        const WIDTH: u16 = 3;
        const COUNT: u16 = 5;
        let (mut claimed, mut exact) = (0u32, 0u32);
        for [up, other] in (0..8u128).flat_map(|a| [0, 1, 7].map(|b| [a, b])) {
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(WIDTH)));
            let last = terms.symbol("last", Sort::Bits(COUNT));
            let [step, step_y] = [up, other].map(|step| terms.constant(WIDTH, step));
            let (next_x, next_y) = (terms.add(x, step), terms.add(y, step_y));
            let cells = Recurrences::solve(&mut terms, &[(x, next_x), (y, next_y)]).expect("both grow");
            if cells.is_empty() {
                continue;
            }
            let (wide_x, wide_y) = (terms.sext(x, 6), terms.sext(y, 6));
            let two = terms.constant(6, 2);
            let more = terms.add(wide_x, two);
            let towards =
                [terms.ult(x, y), terms.ule(x, y), terms.slt(x, y), terms.sle(x, y), terms.slt(wide_x, wide_y)];
            let mut conditions = towards.to_vec();
            conditions.extend([terms.ult(y, x), terms.slt(y, x), terms.ne(x, y)]);
            conditions.extend([terms.slt(more, wide_y), terms.ule(more, wide_y)]);
            let negated: Vec<Term> = conditions.iter().map(|&t| terms.not(t)).collect();
            conditions.extend(negated);
            for condition in conditions {
                let Some(held) = held(&mut terms, &cells, condition, last) else { continue };
                let shown = format!("{} with {up}, {other}", terms.display(condition));
                let is_exact = towards.contains(&condition) && other == 0 && (1..4).contains(&up);
                for (a, b) in (0..8u128).flat_map(|a| (0..8u128).map(move |b| (a, b))) {
                    let model = |values: [(Term, u128); 3]| {
                        let mut model = Model::new();
                        values.iter().for_each(|&(t, value)| model.set(terms.as_symbol(t).expect("a symbol"), value));
                        model
                    };
                    let (mut holds, mut before) = (true, true);
                    let counted = held.times.map(|times| terms.evaluate(times, &model([(x, a), (y, b), (last, 0)])));
                    for k in 0..1u128 << COUNT {
                        let now = model([(x, (a + up * k) % 8), (y, (b + other * k) % 8), (last, 0)]);
                        let start = model([(x, a), (y, b), (last, k)]);
                        let here = terms.evaluate(condition, &now) == 1;
                        if is_exact && holds && !here && k > 0 && before {
                            assert_eq!(counted, Some(k), "{shown} from {a}, {b}");
                        }
                        holds &= here;
                        let claims = terms.evaluate(held.until, &start) == 1;
                        assert!(holds || !claims, "{shown} from {a}, {b} does not hold {k} times");
                        if is_exact && before && here && terms.evaluate(held.sooner, &start) == 1 {
                            assert!(claims, "{shown} from {a}, {b} holds {k} times");
                            exact += 1;
                        }
                        before = claims;
                        claimed += u32::from(claims);
                    }
                }
            }
        }
        assert!(claimed > 10_000 && exact > 500, "{claimed} {exact}");
    }
}
