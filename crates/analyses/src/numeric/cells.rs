//! Cells: the constants that a variable is compared with cut its values into ranges, in each of which every such comparison
//! is decided. States in different cells are kept apart, as predicates for the control would keep them.
//!
//! State machines with arithmetic (`eca-rers2012` Problem11 to 19) have a handful of variables, some of which are modes and
//! others numbers between compared constants; one box for each vector of cells that is reached proves them.

use super::variables::Variables;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Expr, ExprId, VarId, fold};
use robusto_domains::machine::Integer;
use robusto_domains::{Boxes, Ideal, Interval, Lattice as _, Machine};
use robusto_limits::Stopped;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// Variables that are compared with more constants than this are not split by.
const MAX_CUTS: usize = 40;

/// Most parts that a state is split into at once.
const MAX_PARTS: usize = 64;

/// In which cells the values of each variable are: the first and the last.
pub type Key = Vec<(u8, u8)>;

/// The cells of the variables.
#[derive(Default)]
pub struct Cells {
    /// A variable, and the greatest value of each cell but the last, ascending.
    cuts: Vec<(VarId, Integer, Vec<i128>)>,
}

impl Cells {
    /// All states are in one cell.
    pub fn one() -> Self {
        Self::default()
    }

    /// The cells of all variables that are compared with a few constants.
    pub fn of(facts: &Facts, variables: &Variables) -> Self {
        let pool = &facts.program.exprs;
        let mut cuts: BTreeMap<VarId, BTreeSet<i128>> = BTreeMap::new();
        for id in pool.ids() {
            let Expr::Binary(op, x, y) = pool.get(id) else { continue };
            let var = |id: ExprId| match pool.get(id) {
                Expr::Var(var) => variables.any_integer(var).map(|ty| (var, ty)),
                _ => None,
            };
            match (var(x), pool.as_const(y), pool.as_const(x), var(y)) {
                (Some((var, ty)), Some(constant), ..) => {
                    cuts.entry(var).or_default().extend(greatest_below(op, ty, constant, false));
                }
                (.., Some(constant), Some((var, ty))) => {
                    cuts.entry(var).or_default().extend(greatest_below(op, ty, constant, true));
                }
                _ => {}
            }
        }
        let of_var = |(var, cuts): (VarId, BTreeSet<i128>)| {
            let ty = variables.any_integer(var)?;
            let cuts: Vec<i128> = cuts.into_iter().filter(|&cut| ty.bounds().0 <= cut && cut < ty.bounds().1).collect();
            (!cuts.is_empty() && cuts.len() <= MAX_CUTS).then_some((var, ty, cuts))
        };
        Self { cuts: cuts.into_iter().filter_map(of_var).collect() }
    }

    /// Whether all states are in one cell.
    pub fn are_one(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The cells of these variables alone.
    pub fn only(&self, wanted: impl Fn(VarId) -> bool) -> Self {
        Self { cuts: self.cuts.iter().filter(|(var, ..)| wanted(*var)).cloned().collect() }
    }

    /// The variables that are split by.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.cuts.iter().map(|&(var, ..)| var)
    }

    /// The cells of a state. What can be anything is in all of them.
    pub fn key<D: Ideal<Var = VarId>>(&self, state: &Machine<D>) -> Key {
        self.key_of(state.boxes())
    }

    /// The cells of the values of variables.
    pub fn key_of(&self, boxes: &Boxes<VarId>) -> Key {
        let cells = |(var, ty, cuts): &(VarId, Integer, Vec<i128>)| {
            let all = (0, cuts.len() as u8);
            let Some(bounds) = boxes.get(var).and_then(|values| ty.of_interval(values)) else { return all };
            let cell = |value: i128| cuts.partition_point(|&cut| cut < value) as u8;
            (cell(bounds.0), cell(bounds.1))
        };
        self.cuts.iter().map(cells).collect()
    }

    /// A state in parts that are in one cell each, as far as there are not too many. What can be anything is not split.
    /// `look` is asked before each part.
    pub fn split<D: Ideal<Var = VarId>>(
        &self,
        variables: &Variables,
        state: Machine<D>,
        look: impl Fn() -> Result<(), Stopped>,
    ) -> Result<Vec<(Key, Machine<D>)>, Stopped> {
        let restrict = |part: &Machine<D>, var: VarId, values: &Interval| -> Result<_, Stopped> {
            look()?;
            Ok(Some(part.restrict(variables, var, values)).filter(|piece| !piece.is_bottom()))
        };
        let parts = self.parts(state, Machine::boxes, restrict)?;
        Ok(parts.into_iter().map(|part| (self.key(&part), part)).collect())
    }

    /// The same for the values of variables.
    pub fn split_boxes(&self, boxes: Boxes<VarId>) -> Vec<Boxes<VarId>> {
        let restrict = |part: &Boxes<VarId>, var: VarId, values: &Interval| -> Result<_, Infallible> {
            let mut piece = part.clone();
            let met = part.get(&var).map_or(*values, |old| old.meet(values));
            piece.insert(var, met);
            Ok(Some(piece).filter(|piece| !piece.is_bottom()))
        };
        let Ok(parts) = self.parts(boxes, |part| part, restrict);
        parts
    }

    fn parts<S, E>(
        &self,
        state: S,
        boxes: impl Fn(&S) -> &Boxes<VarId>,
        restrict: impl Fn(&S, VarId, &Interval) -> Result<Option<S>, E>,
    ) -> Result<Vec<S>, E> {
        let mut parts = vec![state];
        for (var, ty, cuts) in &self.cuts {
            let mut finer = Vec::with_capacity(parts.len());
            for part in parts {
                let bounds = boxes(&part).get(var).and_then(|values| ty.of_interval(values));
                let (Some((lo, hi)), true) = (bounds, finer.len() < MAX_PARTS) else {
                    finer.push(part);
                    continue;
                };
                let (first, last) = (cuts.partition_point(|&cut| cut < lo), cuts.partition_point(|&cut| cut < hi));
                if first == last {
                    finer.push(part);
                    continue;
                }
                for cell in first..=last {
                    let least = if cell == 0 { ty.bounds().0 } else { cuts[cell - 1] + 1 };
                    let most = cuts.get(cell).copied().unwrap_or(ty.bounds().1);
                    finer.extend(restrict(&part, *var, &ty.interval(least, most))?);
                }
            }
            parts = finer;
        }
        Ok(parts)
    }
}

/// The greatest values below and at a change of `x ⋈ constant`, or of `constant ⋈ x` if swapped.
fn greatest_below(op: BinOp, ty: Integer, constant: u64, swapped: bool) -> Vec<i128> {
    let order_fits = match op {
        BinOp::SLt | BinOp::SLe => ty.signed,
        BinOp::ULt | BinOp::ULe => !ty.signed,
        _ => true,
    };
    let value = ty.of_bits(fold::mask(ty.width, constant));
    match (op, swapped) {
        (BinOp::Eq | BinOp::Ne, _) => vec![value - 1, value],
        // x < c and c ≤ x change between c - 1 and c.
        (BinOp::SLt | BinOp::ULt, false) | (BinOp::SLe | BinOp::ULe, true) if order_fits => vec![value - 1],
        (BinOp::SLe | BinOp::ULe, false) | (BinOp::SLt | BinOp::ULt, true) if order_fits => vec![value],
        _ => Vec::new(),
    }
}
