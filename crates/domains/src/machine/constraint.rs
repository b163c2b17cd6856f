//! Linear constraints on the integers of variables: what combinations with other domains exchange.

use super::{Machine, Types};
use crate::ideal::{Constraint, Ideal, Order, Sum};
use crate::lattice::Lattice;
use robusto_cfa::ir::VarId;

impl<D: Ideal<Var = VarId>> Machine<D> {
    /// The points whose integers satisfy a constraint, and perhaps more.
    pub fn constrain(&self, types: &impl Types, constraint: &Constraint<VarId>) -> Self {
        if self.is_bottom() || constraint.sum.terms().iter().any(|&(x, _)| types.integer(x).is_none()) {
            return self.clone();
        }
        let ideal = self.ideal.assume(constraint);
        let mut boxes = self.boxes.clone();
        for &(x, _) in constraint.sum.terms() {
            let (Some(ty), Some(range)) = (types.integer(x), ideal.range(&Sum::variable(x))) else {
                return Self::bottom();
            };
            let (least, most) = ty.bounds();
            let values = ty.interval(range.lo.unwrap_or(least), range.hi.unwrap_or(most));
            let met = boxes.get(&x).map_or(values, |old| old.meet(&values));
            if !met.is_top() {
                boxes.insert(x, met);
            }
        }
        Self::of(boxes, ideal)
    }

    /// Constraints that all points satisfy; `None` for no points. Congruences are left out.
    pub fn constraints(&self, types: &impl Types) -> Option<Vec<Constraint<VarId>>> {
        let mut all = self.ideal.constraints()?;
        for (&x, values) in self.boxes.iter() {
            let Some(ty) = types.integer(x) else { continue };
            let (lo, hi) = ty.of_interval(values)?;
            let known = self.ideal.range(&Sum::variable(x))?;
            let mut bound = |constant: i128, factor: i128| {
                let sum = Sum::new(constant, [(x, factor)]);
                all.extend(sum.map(|sum| Constraint { sum, order: Order::AtMost }));
            };
            if lo > ty.bounds().0 && known.lo.is_none_or(|known| known < lo) {
                bound(lo, -1);
            }
            if hi < ty.bounds().1 && known.hi.is_none_or(|known| known > hi) {
                bound(-hi, 1);
            }
        }
        Some(all)
    }
}
