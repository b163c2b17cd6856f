//! The product of two data analyses.
//!
//! Beyer, Henzinger, Théoduloz: *Configurable Software Verification*, CAV 2007, Section 2 ("Composite CPA"). A product is a
//! data analysis again, so that products nest.
//!
//! | the paper | here |
//! |---|---|
//! | ⇝× | both transfers, then [`Reduction::strengthen`]; bottom if one of them is |
//! | ↓ : E₁ × E₂ → E₁ | [`Reduction::strengthen`], both directions at once |
//! | ⪯ ⊆ E₁ × E₂ | [`Reduction::compare`], [`Reduction::compare_back`] |
//! | merge× | merge^agree: the pair of the merged components, if that has all of the new pair; else both pairs stay |
//! | stop× | each component of the new pair is covered by that of the other, or its other component is within it (⪯) |
//!
//! Soundness: a pair stands for the concrete states of both components. A merged pair is at least the old one, component by
//! component. A pair is covered if all of its concrete states are in the first component of the other and in the second.

use crate::analysis::{Analysis, Merge, Prec, Step};
use crate::control::Location;
use robusto_limits::Stopped;

/// What the components of a product tell each other.
pub trait Reduction<A: Analysis, B: Analysis> {
    /// Strengthens the successors along a step by each other; `None` if they have no concrete state in common. No concrete
    /// state of both may be lost. By default, they stay as they are.
    fn strengthen(
        &mut self,
        _left: &mut A,
        _right: &mut B,
        states: (A::State, B::State),
        _step: Step,
    ) -> Result<Option<(A::State, B::State)>, Stopped> {
        Ok(Some(states))
    }

    /// Whether every concrete state of one of `left` is one of one of `right`. By default, nobody knows.
    fn compare(&self, _left: (&A, &A::State), _right: (&B, &B::State)) -> Result<bool, Stopped> {
        Ok(false)
    }

    /// The same in the other direction.
    fn compare_back(&self, _right: (&B, &B::State), _left: (&A, &A::State)) -> Result<bool, Stopped> {
        Ok(false)
    }
}

/// Nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unreduced;

impl<A: Analysis, B: Analysis> Reduction<A, B> for Unreduced {}

/// Two data analyses as one.
#[derive(Clone, Debug)]
pub struct Product<A, B, R = Unreduced> {
    /// The first.
    pub left: A,
    /// The second.
    pub right: B,
    /// What they tell each other.
    pub reduction: R,
}

impl<A: Analysis, B: Analysis, R: Reduction<A, B>> Analysis for Product<A, B, R> {
    type State = (A::State, B::State);

    fn initial(&mut self) -> Result<Self::State, Stopped> {
        Ok((self.left.initial()?, self.right.initial()?))
    }

    fn transfer(&mut self, (left, right): &Self::State, step: Step) -> Result<Option<Self::State>, Stopped> {
        let Some(left) = self.left.transfer(left, step)? else { return Ok(None) };
        let Some(right) = self.right.transfer(right, step)? else { return Ok(None) };
        self.reduction.strengthen(&mut self.left, &mut self.right, (left, right), step)
    }

    fn merge(&mut self, new: &Self::State, old: &Self::State, at: Location) -> Result<Merge<Self::State>, Stopped> {
        let left = self.left.merge(&new.0, &old.0, at)?;
        let right = self.right.merge(&new.1, &old.1, at)?;
        if left.is_keep() && right.is_keep() {
            return Ok(Merge::Keep);
        }
        let merged = (left.or(&old.0), right.or(&old.1));
        let agree = self.left.stop(&new.0, &merged.0)? && self.right.stop(&new.1, &merged.1)?;
        Ok(if agree { Merge::Replace(merged) } else { Merge::Keep })
    }

    fn stop(&self, new: &Self::State, old: &Self::State) -> Result<bool, Stopped> {
        let Self { left, right, reduction } = self;
        let in_left = left.stop(&new.0, &old.0)? || reduction.compare_back((right, &new.1), (left, &old.0))?;
        Ok(in_left && (right.stop(&new.1, &old.1)? || reduction.compare((left, &new.0), (right, &old.1))?))
    }

    fn prec(&mut self, (left, right): &mut Self::State, at: Location) -> Result<Prec, Stopped> {
        Ok(match (self.left.prec(left, at)?, self.right.prec(right, at)?) {
            (Prec::Bottom, _) | (_, Prec::Bottom) => Prec::Bottom,
            (Prec::Kept, Prec::Kept) => Prec::Kept,
            _ => Prec::Adjusted,
        })
    }
}
