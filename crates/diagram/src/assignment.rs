//! The image of a set of states under an assignment `x = e`.
//!
//! | case | image of `S` |
//! |---|---|
//! | `e` does not depend on `x` (constants included) | `(∃x. S) ∧ (x = e)` |
//! | `e` depends on `x` | `(∃x. S ∧ (x' = e))[x' ↦ x]` |

use crate::{Bdd, Diagrams, Full, Renaming, VarIndex};

/// An assignment to some variables, prepared once and applied to many sets.
#[derive(Debug)]
pub struct Assignment {
    /// The variables that lose their old value, as a cube.
    target: Bdd,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Any,
    /// `x = e`
    Independent(Bdd),
    /// `x' = e` and the renaming of `x'` to `x`.
    Dependent(Bdd, Renaming),
}

impl Diagrams {
    /// Prepares `target = value`, both least significant bit first. `scratch` are variables that no set depends on;
    /// there must be as many as targets if the value depends on a target, else none are needed.
    pub fn assignment(&self, target: &[VarIndex], value: &[Bdd], scratch: &[VarIndex]) -> Result<Assignment, Full> {
        assert_eq!(target.len(), value.len(), "a value has as many bits as its target");
        let dependent = value.iter().any(|bit| self.support(bit).iter().any(|var| target.contains(var)));
        let value = if dependent {
            assert!(scratch.len() >= target.len(), "the value depends on the target: scratch variables are needed");
            let pairs: Vec<_> = scratch.iter().copied().zip(target.iter().copied()).collect();
            Value::Dependent(self.equals(scratch, value)?, self.renaming(&pairs)?)
        } else {
            Value::Independent(self.equals(target, value)?)
        };
        Ok(Assignment { target: self.cube(target)?, value })
    }

    /// Prepares "the targets get any value".
    pub fn havoc(&self, target: &[VarIndex]) -> Result<Assignment, Full> {
        Ok(Assignment { target: self.cube(target)?, value: Value::Any })
    }

    /// The image of `set` under an assignment.
    pub fn assign(&self, set: &Bdd, assignment: &Assignment) -> Result<Bdd, Full> {
        let Assignment { target, value } = assignment;
        match value {
            Value::Any => self.exists(set, target),
            Value::Independent(relation) => self.exists_and(set, target, relation),
            Value::Dependent(relation, renaming) => self.rename(&self.and_exists(set, relation, target)?, renaming),
        }
    }

    /// The set where the variables have these values, bit by bit.
    fn equals(&self, vars: &[VarIndex], value: &[Bdd]) -> Result<Bdd, Full> {
        let mut bits: Vec<_> = vars.iter().zip(value).collect();
        bits.sort_unstable_by_key(|&(&var, _)| std::cmp::Reverse(self.level(var)));
        bits.into_iter().try_fold(self.top(), |all, (&var, bit)| self.and(&self.iff(&self.var(var)?, bit)?, &all))
    }
}
