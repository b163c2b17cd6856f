//! Variable classification: how the program uses each variable, and hence how few bits an engine needs for it.
//!
//! Apel, Beyer, Friedberger, Raimondi, von Rhein: *Domain types: abstract-domain selection based on variable usage*, HVC
//! 2013 (the pre-analysis that the BDD-based analysis of Beyer and Stahlbauer asks for). Variables that are assigned to
//! or compared for equality with each other, through calls as well, form a group (union-find); the group's class is
//! the join of the uses of its members:
//!
//! | class | the only operations on members |
//! |---|---|
//! | [`Class::Boolean`] | assigned 0 and 1, truth values and `&`, `\|`, `^` of members; compared with 0, 1 and members by `==`, `!=` |
//! | [`Class::Enumerated`] | assigned constants, inputs and members; compared with constants and members by `==`, `!=` |
//! | [`Class::Ordered`] | the same, and compared with constants by `<`, `<=`, signed or unsigned |
//! | [`Class::Linear`] | sums, differences, products with constants, any comparison; stored, used as an index or size |
//! | [`Class::General`] | anything |
//!
//! # What an engine may rely on
//!
//! In every execution from `main`, for a group `g` and a member `v` of width `w`:
//!
//! 1. If [`Group::values`] is there, `v` holds one of them whenever it is live (cut to `w` bits, see
//!    [`Group::pattern`]), whatever the class.
//! 2. Boolean: `v` is 0 or 1 whenever it is live.
//! 3. Enumerated: let an injective map `π` on values leave the constants as they are (and keep the values that fit in
//!    each width in that width). Replace each input to the group by its image: the execution takes the same edges,
//!    and members hold the images of what they held. So it is exact to keep, for each member, the index of the constant
//!    that it equals or *other*; only where [`Group::compared`], two *others* may be equal or not.
//! 4. Ordered: the same for a map that keeps each value in its gap between neighbours in the sorted list of constants,
//!    which is the same as an interval under the signed and the unsigned order (where both are used, the sign
//!    boundary is among the constants). Where [`Group::compared`], the map has to be injective.
//! 5. Linear: all operators that a member's value goes through before a comparison, a store or a call of a builtin are
//!    additions, subtractions, negations, multiplications with constants, and changes of width.
//!
//! Inputs to the group are [`Group::havocked`] (a havoc) and [`Group::loaded`] (a value read from memory); a group with
//! neither and without arithmetic holds only constants of the program.
//!
//! Constants are bit patterns at the group's [`Group::width`]. A group with members of several widths has them
//! zero-extended or sign-extended as its casts do ([`Group::signed`]); a cast that does not carry every constant of the
//! group over (in particular one that narrows, if there are inputs) makes the group at least Linear.
//!
//! Soundness: the uses are found syntactically, in all functions that may run; each use that is not in the table moves
//! the group up; groups are closed under assignment and comparison, so a value moves between members only. Linear in
//! the expressions and edges, up to union-find.

mod collect;
mod finish;
#[cfg(test)]
mod tests;

use super::callgraph::CallGraph;
use super::uses::Uses;
use crate::ir::{IdxVec, Program, VarId, fold};

super::index::index! {
    /// A group of variables.
    GroupId "g";
}

/// How a group is used; later ones include the earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// Truth values.
    Boolean,
    /// Names for things; the constants of the group, ascending.
    Enumerated(Vec<u64>),
    /// Numbers that are compared with constants; the constants of the group, ascending as unsigned numbers.
    Ordered(Vec<u64>),
    /// Numbers under linear arithmetic.
    Linear,
    /// All else, floats and pointers included.
    General,
}

/// Variables that are used together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How they are used.
    pub class: Class,
    /// The members, ascending.
    pub vars: Vec<VarId>,
    /// Width of the constants in bits: that of the widest member, or of a comparison of widened members.
    pub width: u32,
    /// Whether constants are sign-extended from narrower members' widths, otherwise zero-extended.
    pub signed: bool,
    /// Whether a member is havocked where it is live.
    pub havocked: bool,
    /// Whether a member takes a value from memory.
    pub loaded: bool,
    /// Whether members are compared with each other.
    pub compared: bool,
    /// All values that members can hold, ascending, if they take constants only.
    pub values: Option<Vec<u64>>,
}

impl Group {
    /// The constant as the bit pattern of a member with this width; `None` if the member cannot hold it.
    pub fn pattern(&self, constant: u64, width: u32) -> Option<u64> {
        let narrow = fold::mask(width.min(64), constant);
        (extend(narrow, width, self.width, self.signed) == constant).then_some(narrow)
    }

    /// Number of different values to tell apart for a member: the constants, and one for all others if there are inputs;
    /// `None` if the class does not bound it.
    pub fn domain(&self) -> Option<usize> {
        if let Some(values) = &self.values {
            return Some(values.len());
        }
        match &self.class {
            Class::Boolean => Some(2),
            Class::Enumerated(constants) => Some(constants.len() + 1),
            // A gap before, between and after the constants.
            Class::Ordered(constants) => Some(2 * constants.len() + 1),
            Class::Linear | Class::General => None,
        }
    }
}

/// Bits of one width at a wider one.
fn extend(bits: u64, from: u32, to: u32, signed: bool) -> u64 {
    if signed && from < 64 { fold::mask(to, fold::signed(from, bits) as u64) } else { bits }
}

/// The classes of all variables.
#[derive(Clone, Debug)]
pub struct Classes {
    groups: IdxVec<GroupId, Group>,
    group_of: IdxVec<VarId, GroupId>,
}

impl Classes {
    /// Classifies the variables of the functions that may run; those of others are General.
    pub fn of(program: &Program, uses: &Uses, calls: &CallGraph) -> Self {
        let facts = collect::collect(program, uses, calls);
        finish::finish(program, calls, facts)
    }

    /// All groups, by their first member.
    pub fn groups(&self) -> &IdxVec<GroupId, Group> {
        &self.groups
    }

    /// A variable's group.
    pub fn group(&self, var: VarId) -> &Group {
        &self.groups[self.group_of[var]]
    }

    /// A variable's class.
    pub fn class(&self, var: VarId) -> &Class {
        &self.group(var).class
    }
}
