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
    /// `x = e`, or `x' = e` if there is a renaming.
    relation: Bdd,
    /// From scratch variables to targets where the value depends on the target.
    renaming: Option<Renaming>,
}

impl Diagrams {
    /// Prepares `target = value`, both least significant bit first. `scratch` are variables that no set depends on;
    /// there must be as many as targets if the value depends on a target, else none are needed.
    pub fn assignment(&self, target: &[VarIndex], value: &[Bdd], scratch: &[VarIndex]) -> Result<Assignment, Full> {
        assert_eq!(target.len(), value.len(), "a value has as many bits as its target");
        let dependent = value.iter().any(|bit| self.support(bit).iter().any(|var| target.contains(var)));
        let (vars, renaming) = if dependent {
            assert!(scratch.len() >= target.len(), "the value depends on the target: scratch variables are needed");
            let pairs: Vec<_> = scratch.iter().copied().zip(target.iter().copied()).collect();
            (scratch, Some(self.renaming(&pairs)?))
        } else {
            (target, None)
        };
        let mut relation = self.top();
        let mut bits: Vec<_> = vars.iter().copied().zip(value).collect();
        bits.sort_unstable_by_key(|&(var, _)| std::cmp::Reverse(var));
        for (var, bit) in bits {
            let equal = self.iff(&self.var(var)?, bit)?;
            relation = self.and(&equal, &relation)?;
        }
        Ok(Assignment { target: self.cube(target)?, relation, renaming })
    }

    /// Prepares "the targets get any value".
    pub fn havoc(&self, target: &[VarIndex]) -> Result<Assignment, Full> {
        Ok(Assignment { target: self.cube(target)?, relation: self.top(), renaming: None })
    }

    /// The image of `set` under an assignment.
    pub fn assign(&self, set: &Bdd, assignment: &Assignment) -> Result<Bdd, Full> {
        let Assignment { target, relation, renaming } = assignment;
        match renaming {
            None => self.and(&self.exists(set, target)?, relation),
            Some(renaming) => self.rename(&self.and_exists(set, relation, target)?, renaming),
        }
    }
}
