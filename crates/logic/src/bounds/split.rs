//! Branching: the values of a variable on which arithmetic of floats depends, in two parts.
//!
//! Variables take turns: the one that was split least often is next. Numbers are split at their mean, or between exponents if they
//! are orders of magnitude apart; what is no number, and the two signs, come first.

use super::values::Values;
use super::{Case, Graph, Known, Revised, floats};
use crate::term::{BinaryOp, FloatKind};
use robusto_ieee::{Floats, Format, of_double, to_double};

/// Bounds whose exponents differ by more are split between exponents.
const APART: u64 = 24;

/// A variable on which an operator depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Splittable {
    place: usize,
    /// How its bits are read.
    reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Float,
    Integer,
}

impl Graph {
    /// The variables of operators on floats.
    pub(super) fn splittable(&self) -> Vec<Splittable> {
        let mut readings: Vec<Option<Reading>> = vec![None; self.nodes.len()];
        for (i, &node) in self.nodes.iter().enumerate().rev() {
            match node {
                Revised::Float(op, x, y) => {
                    let of_integer = matches!(op.kind, FloatKind::OfSigned | FloatKind::OfUnsigned);
                    readings[x] = Some(if of_integer { Reading::Integer } else { Reading::Float });
                    if op.kind.is_binary() {
                        readings[y] = Some(Reading::Float);
                    }
                }
                Revised::Ite(_, yes, no) if readings[i].is_some() => {
                    readings[yes] = readings[yes].or(readings[i]);
                    readings[no] = readings[no].or(readings[i]);
                }
                // Signs and magnitudes of floats keep the width.
                Revised::Binary(BinaryOp::Xor, x, _) if readings[i].is_some() => readings[x] = readings[i],
                Revised::Binary(_, x, y) if readings[i] == Some(Reading::Integer) => {
                    (readings[x], readings[y]) = (readings[i], readings[i]);
                }
                Revised::ZExt(x) | Revised::SExt(x) | Revised::Neg(x) if readings[i] == Some(Reading::Integer) => {
                    readings[x] = readings[i];
                }
                Revised::ZExt(x)
                    if readings[i] == Some(Reading::Float) && self.known[x].width + 1 == self.known[i].width =>
                {
                    if let Revised::Extract { arg, lo: 0 } = self.nodes[x] {
                        readings[arg] = readings[i];
                    }
                }
                _ => {}
            }
        }
        let is_leaf = |i: usize| matches!(self.nodes[i], Revised::Leaf) && self.known[i].as_constant().is_none();
        let found = readings.iter().enumerate().filter(|&(i, _)| is_leaf(i));
        found.filter_map(|(place, reading)| reading.map(|reading| Splittable { place, reading })).collect()
    }

    /// Splits the variable that was split least often, of those that matter; false if there is none.
    pub(super) fn split(
        &self,
        known: &Known,
        relevant: &[bool],
        variables: &[Splittable],
        splits: &[u32],
        open: &mut Vec<Case>,
    ) -> bool {
        let candidates =
            variables.iter().enumerate().filter(|(_, v)| relevant[v.place] && known[v.place].as_constant().is_none());
        let mut ranked: Vec<(u32, usize)> = candidates.map(|(i, _)| (splits[i], i)).collect();
        ranked.sort_unstable();
        for (_, i) in ranked {
            let Splittable { place, reading } = variables[i];
            let Some(parts) = parts(&known[place], reading) else { continue };
            for part in parts {
                let mut known = known.clone();
                known[place] = part;
                let mut splits = splits.to_vec();
                splits[i] += 1;
                open.push(Case { known, splits });
            }
            return true;
        }
        false
    }
}

/// Two parts that have all values between them, neither of which has all.
fn parts(values: &Values, reading: Reading) -> Option<[Values; 2]> {
    let two = |first: &Values, second: &Values| Some([values.meet(first)?, values.meet(second)?]);
    match reading {
        Reading::Integer => {
            let (lo, hi) = values.signed;
            let middle = lo + (hi - lo) / 2;
            two(&Values::integers(values.width, lo, middle), &Values::integers(values.width, middle + 1, hi))
        }
        Reading::Float => {
            let set = floats::floats(values);
            let words = |set: &Floats| floats::of_halves(values.width, set.parts());
            let (numbers, nans) = (set.numbers(), set.nans());
            if !numbers.is_empty() && !nans.is_empty() {
                return two(&words(&numbers)?, &words(&nans)?);
            }
            match set.parts() {
                [Some(_), Some(_)] => two(&words(&set.with_sign(false))?, &words(&set.with_sign(true))?),
                [Some((lo, hi)), None] | [None, Some((lo, hi))] if lo < hi => {
                    let middle = middle(values.width, lo, hi);
                    let negative = set.parts()[0].is_none();
                    let part = |lo, hi| {
                        let range = Some((lo, hi));
                        floats::of_halves(values.width, if negative { [None, range] } else { [range, None] })
                    };
                    two(&part(lo, middle)?, &part(middle + 1, hi)?)
                }
                _ => None,
            }
        }
    }
}

/// A magnitude from `lo` to below `hi`.
fn middle(width: u16, lo: u64, hi: u64) -> u64 {
    let format = Format::of(width);
    let field = |magnitude: u64| magnitude >> format.fraction;
    let between = lo + (hi - lo) / 2;
    if hi >= format.infinity() as u64 || lo > 0 && field(hi) - field(lo) > APART {
        return between;
    }
    let mean = (to_double(width, lo) / 2.0 + to_double(width, hi) / 2.0).max(to_double(width, lo));
    of_double(width, mean).clamp(lo, hi - 1)
}
