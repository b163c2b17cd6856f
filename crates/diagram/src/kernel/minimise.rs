//! Simplification of a function where only its values on a care set matter.
//!
//! The operator *restrict* of O. Coudert and J. C. Madre, "A unified framework for the formal verification of sequential
//! circuits" (ICCAD 1990): where the care set is empty under one value of a variable, the node of `f` for this variable
//! is replaced by its child under the other value; variables that only the care set tests are quantified in it.
//!
//! Soundness: every step keeps `f` on the care set, since a branch is dropped only where the care set is empty, and
//! quantification only enlarges the care set.

use super::cache::Op;
use super::{Edge, Kernel};
use crate::Full;

impl Kernel {
    /// A function that agrees with `f` on `care`.
    pub fn restrict(&mut self, f: Edge, care: Edge) -> Result<Edge, Full> {
        if f.is_constant() || care.is_constant() {
            return Ok(f);
        }
        // On the care set f is known.
        if f == care {
            return Ok(Edge::TRUE);
        }
        if f == !care {
            return Ok(Edge::FALSE);
        }
        let (mark, f) = (f.mark(), f.regular());
        if let Some(result) = self.cache.get(Op::Restrict, f, care, Edge::TRUE) {
            return Ok(result.xor_mark(mark));
        }
        let (level, care_level) = (self.level(f), self.level(care));
        let result = if care_level < level {
            let (care1, care0) = self.branches(care);
            let either = self.or(care1, care0)?;
            self.restrict(f, either)?
        } else {
            let (f1, f0) = self.branches(f);
            let (care1, care0) = if care_level == level { self.branches(care) } else { (care, care) };
            if care1 == Edge::FALSE {
                self.restrict(f0, care0)?
            } else if care0 == Edge::FALSE {
                self.restrict(f1, care1)?
            } else {
                let high = self.restrict(f1, care1)?;
                let low = self.restrict(f0, care0)?;
                self.make(level, high, low)?
            }
        };
        self.cache.put(Op::Restrict, f, care, Edge::TRUE, result);
        Ok(result.xor_mark(mark))
    }
}
