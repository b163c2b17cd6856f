//! Small domains: a value that is only compared with constants needs few bits.
//!
//! Pnueli, Rodeh, Strichman, Siegel: *The small model property: how small can it be?*, Information and Computation 178,
//! 2002. There the formulas compare variables with each other; here they compare them with constants only, which is what
//! the states and flags of control programs are for, and any order is allowed.
//!
//! Values flow from variables and constants through ifs to comparisons. Where all comparisons that a value may flow to
//! are with constants, values on the same side of all of them are alike; so the number of their class can stand for them.
//! A model with numbers becomes a model with values by taking any value of each class, and the other way round by taking
//! the class of each value; ifs and comparisons commute with that.

use super::fold;
use super::{Node, Sort, Symbol, Term, Terms};
use crate::DisjointSets;
use rustc_hash::FxHashMap;

/// The widest values looked at: no sum below overflows.
const WIDEST: u16 = 64;

/// Most comparisons of values that flow together: the work grows with their square.
const COMPARISONS: usize = 1000;

/// Formulas over small domains.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The formulas, in the order given. Any of them have a common model if and only if those that they stand for do.
    pub formulas: Vec<Term>,
    /// What stands for the variables whose domain has become smaller.
    pub symbols: FxHashMap<Symbol, Symbol>,
}

impl Terms {
    /// Gives the variables of some formulas the smallest domains that the comparisons with constants in all of them need.
    pub fn narrow(&mut self, formulas: &[Term]) -> Narrowed {
        let all = self.subterms(formulas);
        let mut flow = Flow::of(self, &all);
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        let mut symbols = FxHashMap::default();
        for (i, &t) in all.iter().enumerate() {
            let node = self.node(t);
            let replaced = match (flow.partition_of(i), node) {
                (Some(partition), Node::Symbol(symbol)) => {
                    let small = self.fresh("class", Sort::Bits(partition.width));
                    symbols.insert(symbol, self.as_symbol(small).expect("new"));
                    small
                }
                (Some(partition), Node::Ite(condition, yes, no)) => {
                    let [yes, no] = [yes, no].map(|branch| match self.as_const(branch) {
                        Some(value) => self.constant(partition.width, partition.class(value)),
                        None => new[&branch],
                    });
                    self.ite(new[&condition], yes, no)
                }
                (Some(partition), Node::ZExt(condition, _)) => {
                    let [yes, no] = [1, 0].map(|value| self.constant(partition.width, partition.class(value)));
                    self.ite(new[&condition], yes, no)
                }
                _ => match (flow.compared(self, t), node) {
                    (Some((value, partition)), _) => {
                        let holds = partition.holds[&t].clone();
                        self.is_one_of(new[&value], &holds)
                    }
                    (None, Node::Const { .. } | Node::Symbol(_)) => t,
                    (None, _) => {
                        let operands = node.operands();
                        let operands: Vec<Term> = operands.iter().map(|operand| new[operand]).collect();
                        self.build(node.with_operands(&operands))
                    }
                },
            };
            new.insert(t, replaced);
        }
        Narrowed { formulas: formulas.iter().map(|t| new[t]).collect(), symbols }
    }

    /// Whether a value is one of those for which a list says yes; what lies beyond the list counts as its last.
    fn is_one_of(&mut self, value: Term, list: &[bool]) -> Term {
        let last = list.len() - 1;
        let size = 1usize << self.width(value);
        let mut level: Vec<Term> = (0..size).map(|i| self.constant(1, list[i.min(last)].into())).collect();
        for bit in 0..self.width(value) {
            let bit = self.extract(value, bit, 1);
            level = level.chunks(2).map(|pair| self.ite(bit, pair[1], pair[0])).collect();
        }
        level[0]
    }
}

/// The classes of the values that flow together.
struct Partition {
    /// Bits of a class.
    width: u16,
    /// The first value of each range, ascending, with the range's class.
    ranges: Vec<(u128, usize)>,
    /// For each comparison the classes for which it holds.
    holds: FxHashMap<Term, Vec<bool>>,
}

impl Partition {
    /// The partition that some comparisons of values of a width make, if it is small.
    fn of(terms: &Terms, width: u16, comparisons: &[Term]) -> Option<Self> {
        if width > WIDEST || comparisons.len() > COMPARISONS {
            return None;
        }
        let mut starts = vec![0, 1u128 << (width - 1)];
        for &comparison in comparisons {
            let (_, constant) = parts(terms, comparison)?;
            starts.push(constant);
            starts.push(constant + 1);
        }
        starts.retain(|&start| start >> width == 0);
        starts.sort_unstable();
        starts.dedup();
        let mut classes: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let mut holds: Vec<Vec<bool>> = vec![Vec::new(); comparisons.len()];
        let mut ranges = Vec::new();
        for start in starts {
            let signature: Vec<bool> = comparisons.iter().map(|&t| evaluate(terms, t, start)).collect();
            let next = classes.len();
            let class = *classes.entry(signature).or_insert_with_key(|signature| {
                for (holds, &value) in holds.iter_mut().zip(signature) {
                    holds.push(value);
                }
                next
            });
            ranges.push((start, class));
        }
        let bits = classes.len().next_power_of_two().trailing_zeros().max(1) as u16;
        let holds = comparisons.iter().copied().zip(holds).collect();
        (bits < width).then_some(Self { width: bits, ranges, holds })
    }

    /// The class of a value.
    fn class(&self, value: u128) -> u128 {
        let after = self.ranges.partition_point(|&(start, _)| start <= value);
        self.ranges[after - 1].1 as u128
    }
}

/// What a comparison with a constant compares, and the constant.
fn parts(terms: &Terms, comparison: Term) -> Option<(Term, u128)> {
    let Node::Binary(op, a, b) = terms.node(comparison) else { return None };
    if !op.is_comparison() || terms.width(a) == 1 {
        return None;
    }
    match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(constant)) => Some((a, constant)),
        (Some(constant), None) => Some((b, constant)),
        _ => None,
    }
}

/// What a comparison says if this is the value compared.
fn evaluate(terms: &Terms, comparison: Term, value: u128) -> bool {
    let Node::Binary(op, a, b) = terms.node(comparison) else { unreachable!("a comparison") };
    let of = |t: Term| terms.as_const(t).unwrap_or(value);
    fold::binary(op, terms.width(a), of(a), of(b)) == 1
}

/// Which values flow together.
struct Flow<'t> {
    all: &'t [Term],
    /// Sets of terms whose values flow together, by their places.
    sets: DisjointSets,
    /// By the first of a set: its partition, unless its values are used otherwise.
    partitions: FxHashMap<usize, Partition>,
}

impl<'t> Flow<'t> {
    fn of(terms: &Terms, all: &'t [Term]) -> Self {
        let mut flow = Self { all, sets: DisjointSets::new(all.len()), partitions: FxHashMap::default() };
        let mut needs_all_bits = vec![false; all.len()];
        let mut comparisons: Vec<(usize, Term)> = Vec::new();
        for (i, &t) in all.iter().enumerate() {
            let node = terms.node(t);
            match node {
                Node::Const { .. } | Node::Symbol(_) => {}
                Node::Ite(_, yes, no) if is_value(terms, t) => {
                    for branch in [yes, no].into_iter().filter(|&branch| terms.as_const(branch).is_none()) {
                        let branch = flow.place(branch);
                        flow.sets.unite(i, branch);
                    }
                }
                Node::ZExt(condition, _) if terms.width(condition) == 1 => {}
                _ => match parts(terms, t) {
                    Some((value, _)) => comparisons.push((flow.place(value), t)),
                    None => {
                        needs_all_bits[i] = true;
                        for &operand in node.operands().iter() {
                            needs_all_bits[flow.place(operand)] = true;
                        }
                    }
                },
            }
        }
        let mut sets: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
        for (place, comparison) in comparisons {
            sets.entry(flow.sets.first(place)).or_default().push(comparison);
        }
        for place in (0..all.len()).filter(|&place| needs_all_bits[place]) {
            sets.remove(&flow.sets.first(place));
        }
        let partition = |(first, comparisons): (usize, Vec<Term>)| {
            Some((first, Partition::of(terms, terms.width(all[first]), &comparisons)?))
        };
        flow.partitions = sets.into_iter().filter_map(partition).collect();
        flow
    }

    fn place(&self, t: Term) -> usize {
        self.all.binary_search(&t).expect("a subterm")
    }

    /// The partition of the values of a term.
    fn partition_of(&mut self, place: usize) -> Option<&Partition> {
        let first = self.sets.first(place);
        self.partitions.get(&first)
    }

    /// What a comparison compares, and the partition of that.
    fn compared(&mut self, terms: &Terms, comparison: Term) -> Option<(Term, &Partition)> {
        let (value, _) = parts(terms, comparison)?;
        let place = self.place(value);
        self.partition_of(place).map(|partition| (value, partition))
    }
}

fn is_value(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::Bits(width) if width > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinaryOp, Solver};

    /// Formulas from a number: comparisons of values that flow through ifs, some of which are used otherwise.
    fn formulas(terms: &mut Terms, mut n: u64) -> Vec<Term> {
        let kinds = if n.is_multiple_of(2) { 8 } else { 24 };
        let mut digit = |below: u64| {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (n >> 33) % below
        };
        let mut values: Vec<Term> = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(5))).to_vec();
        let flag = terms.symbol("flag", Sort::BOOL);
        values.push(terms.zext(flag, 5));
        let mut truths = vec![flag];
        let comparisons = [BinaryOp::Eq, BinaryOp::ULt, BinaryOp::ULe, BinaryOp::SLt, BinaryOp::SLe];
        for _ in 0..10 {
            let value = values[digit(values.len() as u64) as usize];
            let constant = terms.constant(5, u128::from(digit(32)));
            match digit(kinds) {
                0 => values.push(terms.add(value, constant)),
                1 => {
                    let other = values[digit(values.len() as u64) as usize];
                    truths.push(terms.eq(value, other));
                }
                2..=4 => {
                    let condition = truths[digit(truths.len() as u64) as usize];
                    let other = if digit(2) == 0 { constant } else { values[digit(values.len() as u64) as usize] };
                    values.push(terms.ite(condition, value, other));
                }
                _ => {
                    let op = comparisons[digit(5) as usize];
                    let (a, b) = if digit(2) == 0 { (value, constant) } else { (constant, value) };
                    truths.push(terms.build(Node::Binary(op, a, b)));
                }
            }
        }
        let literal = |terms: &mut Terms, t: Term, negated: bool| if negated { terms.not(t) } else { t };
        let literals: Vec<Term> = truths.iter().map(|&t| literal(terms, t, digit(2) == 0)).collect();
        literals.chunks(1 + digit(2) as usize).map(|some| terms.or_all(some)).collect()
    }

    #[test]
    fn formulas_keep_whether_they_have_a_common_model() {
        let (mut sat, mut unsat, mut narrowed) = (0, 0, 0);
        for n in 0..500 {
            let mut terms = Terms::new();
            let all = formulas(&mut terms, n);
            let small = terms.narrow(&all);
            narrowed += usize::from(!small.symbols.is_empty());
            for (&was, &is) in &small.symbols {
                assert!(terms.width(terms.symbol_term(is)) < terms.width(terms.symbol_term(was)));
            }
            for first in 0..all.len() {
                for last in first + 1..=all.len() {
                    let [was, is] = [&all, &small.formulas].map(|formulas| {
                        Solver::new(&robusto_limits::Limits::none())
                            .check(&mut terms, &formulas[first..last])
                            .expect("not stopped")
                    });
                    assert_eq!(was, is, "{n}: {first} to {last}");
                    *(if was == crate::Answer::Sat { &mut sat } else { &mut unsat }) += 1;
                }
            }
        }
        assert!(sat > 1000 && unsat > 1000 && narrowed > 300, "{sat} {unsat} {narrowed}");
    }

    #[test]
    fn three_classes_take_two_bits() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let [three, seven] = [3, 7].map(|value| terms.constant(32, value));
        let (is_three, is_seven) = (terms.eq(x, three), terms.eq(x, seven));
        let Narrowed { formulas, symbols } = terms.narrow(&[is_three, is_seven]);
        let [(_, &small)] = symbols.iter().collect::<Vec<_>>()[..] else { panic!("{symbols:?}") };
        assert_eq!(terms.width(terms.symbol_term(small)), 2);
        let product = terms.mul(x, x);
        let odd = terms.eq(product, three);
        assert!(terms.narrow(&[is_three, odd]).symbols.is_empty(), "a factor needs all its bits");
        let both = terms.and_all(&formulas);
        assert_eq!(Solver::new(&robusto_limits::Limits::none()).check(&mut terms, &[both]), Ok(crate::Answer::Unsat));
    }
}
