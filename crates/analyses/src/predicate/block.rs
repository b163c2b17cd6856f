//! Block-adjustment operators: where a block ends and an abstraction is computed.
//!
//! | the paper | here |
//! |---|---|
//! | blk^sbe | [`BlockOperator::Sbe`] |
//! | blk^lbe: loop heads, function heads | [`BlockOperator::Lbe`]; [`BlockOperator::Loops`] leaves out the functions |
//! | "Pre-proc. LBE" of Table I: one abstraction per edge of a summarised automaton | [`BlockOperator::Preprocessed`], with `large` |
//! | blkₖ: the longest path has k operations | [`BlockOperator::Length`] |
//! | blkₖ^lbe = blk^lbe ∨ blkₖ | [`BlockOperator::LbeOrLength`] |
//! | footnote 4: after each control-flow subgraph of size more than k | [`BlockOperator::Structure`] |
//! | Section III.B: "measure the memory consumption of the path formula" | [`BlockOperator::Memory`] |
//! | Section III.B: "measure the time … and adjust the block encoding" | [`BlockOperator::Dynamic`] |

use super::precision::Scope;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A block-adjustment operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockOperator {
    /// After every operation.
    Sbe,
    /// At loop heads, entries of and returns from functions that are not recursive.
    Lbe,
    /// After every edge of an automaton whose edges are large blocks, made before the analysis.
    Preprocessed,
    /// At loop heads.
    Loops,
    /// When the longest path has this many operations.
    Length(u32),
    /// Where one of [`BlockOperator::Lbe`] and [`BlockOperator::Length`] asks for it.
    LbeOrLength(u32),
    /// At the loop heads, function entries and returns where the longest path has at least this many operations, so that
    /// blocks hold whole loop iterations and calls.
    Structure(u32),
    /// Like [`BlockOperator::Structure`], with a length that grows while abstractions take less than this many
    /// milliseconds and shrinks when they take more.
    Dynamic(u32),
    /// When the path formula takes at least this many kilobytes.
    Memory(u32),
}

/// A text that names no block operator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a block operator; known are sbe, lbe, preprocessed, loops, k:N, lbe-k:N, structure:N, dynamic:MS, memory:KB (N > 0)"
)]
pub struct UnknownOperator(String);

impl FromStr for BlockOperator {
    type Err = UnknownOperator;

    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        let unknown = || UnknownOperator(text.to_owned());
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number.parse().ok().filter(|&n: &u32| n > 0).ok_or_else(unknown)?)),
            None => (text, None),
        };
        match (name, number) {
            ("sbe", None) => Ok(Self::Sbe),
            ("lbe", None) => Ok(Self::Lbe),
            ("preprocessed", None) => Ok(Self::Preprocessed),
            ("loops", None) => Ok(Self::Loops),
            ("k", Some(k)) => Ok(Self::Length(k)),
            ("lbe-k", Some(k)) => Ok(Self::LbeOrLength(k)),
            ("structure", Some(k)) => Ok(Self::Structure(k)),
            ("dynamic", Some(ms)) => Ok(Self::Dynamic(ms)),
            ("memory", Some(kb)) => Ok(Self::Memory(kb)),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for BlockOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sbe => f.write_str("sbe"),
            Self::Lbe => f.write_str("lbe"),
            Self::Preprocessed => f.write_str("preprocessed"),
            Self::Loops => f.write_str("loops"),
            Self::Length(k) => write!(f, "k:{k}"),
            Self::LbeOrLength(k) => write!(f, "lbe-k:{k}"),
            Self::Structure(k) => write!(f, "structure:{k}"),
            Self::Dynamic(ms) => write!(f, "dynamic:{ms}"),
            Self::Memory(kb) => write!(f, "memory:{kb}"),
        }
    }
}

impl BlockOperator {
    /// Where predicates are best tracked. Blocks that end anywhere end somewhere else each time, and each place would have to
    /// learn its predicates by itself (`test_locks_10` with k = 50: 90 refinements instead of 10). Where blocks are loop bodies, what
    /// is found of globals in one function's loop is tried in the others' (`parport`: 1 refinement instead of more than 148).
    pub fn scope(self) -> Scope {
        match self {
            Self::Length(_) | Self::Memory(_) => Scope::Function,
            Self::Loops => Scope::Shared,
            _ => Scope::Location,
        }
    }

    /// Whether a block can hold several visits of one location.
    pub fn holds_loops(self) -> bool {
        matches!(self, Self::Length(_) | Self::Structure(_) | Self::Dynamic(_) | Self::Memory(_))
    }
}

/// Most activations of a recursive function in one block.
const RECURSION: u32 = 20;

/// Longest block of [`BlockOperator::Memory`]: a loop whose formula does not grow has an end, too.
const MEMORY_LENGTH: u32 = 2000;

/// Longest block of [`BlockOperator::Dynamic`] at first, and at most.
const DYNAMIC: (u32, u32) = (50, 2000);

/// An operator with what it needs to know of a program.
#[derive(Debug)]
pub struct Blocks {
    operator: BlockOperator,
    loops: IdxVec<FuncId, LoopForest>,
    recursive: IdxVec<FuncId, bool>,
    dynamic_length: u32,
}

impl Blocks {
    /// Prepares an operator.
    pub fn new(operator: BlockOperator, facts: &Facts) -> Self {
        let program = &facts.program;
        let loops = program.functions.iter().map(LoopForest::of).collect();
        let recursive = program.functions.ids().map(|f| facts.calls.is_recursive(f)).collect();
        Self { operator, loops, recursive, dynamic_length: DYNAMIC.0 }
    }

    /// blk(e, g): whether a block ends after a step to a location, where `length` is that of its longest path with the step.
    /// `activation` is the number of activations of the location's function, if that is recursive; `passed` says that the edges of a
    /// summarised automaton go on there; `bytes` is the size of the path formula.
    pub fn ends(
        &self,
        step: Step,
        to: Location,
        length: u32,
        activation: u32,
        passed: bool,
        bytes: impl FnOnce() -> usize,
    ) -> bool {
        let head = self.loops[to.function].is_head(to.loc);
        let called = match step {
            Step::Enter { callee, .. } | Step::Leave { callee, .. } => Some(callee),
            Step::Edge(..) | Step::Block { .. } => None,
        };
        // Recursion that ends is exact within a block; blocks that could grow for ever end.
        if let Step::Enter { callee, .. } = step
            && self.recursive[callee]
            && activation > RECURSION
        {
            return true;
        }
        let boundary = head || called.is_some_and(|callee| !self.recursive[callee]);
        match self.operator {
            BlockOperator::Sbe => true,
            BlockOperator::Lbe => boundary,
            // All edges of the summarised automaton but calls and returns are such steps. In the midst of recursion, what a
            // block from one start knows of the callers is lost where it meets one from another.
            BlockOperator::Preprocessed => boundary || (called.is_none() && !passed && !self.recursive[to.function]),
            BlockOperator::Loops => head,
            BlockOperator::Length(k) => length >= k,
            BlockOperator::LbeOrLength(k) => boundary || length >= k,
            BlockOperator::Structure(k) => boundary && length >= k,
            BlockOperator::Dynamic(_) => boundary && length >= self.dynamic_length,
            BlockOperator::Memory(kb) => length >= MEMORY_LENGTH || bytes() >= kb as usize * 1024,
        }
    }

    /// Whether a block can hold several visits of one location.
    pub fn hold_loops(&self) -> bool {
        self.operator.holds_loops()
    }

    /// The loops of a function.
    pub fn loops(&self, function: FuncId) -> &LoopForest {
        &self.loops[function]
    }

    /// The loop heads.
    pub fn heads(&self) -> impl Iterator<Item = Location> + '_ {
        self.loops.enumerate().flat_map(|(function, loops)| loops.heads().map(move |loc| Location { function, loc }))
    }

    /// Tells how long an abstraction took.
    pub fn learn(&mut self, time: Duration) {
        if let BlockOperator::Dynamic(ms) = self.operator {
            let slow = time > Duration::from_millis(ms.into());
            let length = if slow { self.dynamic_length / 2 } else { self.dynamic_length.saturating_add(1) };
            self.dynamic_length = length.clamp(1, DYNAMIC.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_read_as_they_are_written() {
        for text in
            ["sbe", "lbe", "preprocessed", "loops", "k:7", "lbe-k:10", "structure:300", "dynamic:20", "memory:64"]
        {
            assert_eq!(text.parse::<BlockOperator>().map(|o| o.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "lbe:3", "k", "k:0", "k:x", "blocks"] {
            assert!(text.parse::<BlockOperator>().is_err(), "{text}");
        }
    }
}
