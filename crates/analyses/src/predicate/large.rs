//! Blocks that are made before the analysis: the steps of a summarised automaton.
//!
//! Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: *Software Model Checking via Large-Block Encoding*, FMCAD 2009; the column
//! "Pre-proc. LBE" of Table I of the paper about adjustable blocks. [`LargeBlocks`] has the automaton. A step of the exploration is one
//! of its edges ([`Step::Block`]), and its end is an abstraction state, but for the source of a call and the exit of a function, which
//! are passed on the way to where [`BlockOperator::Lbe`](super::BlockOperator::Lbe) ends. In recursive functions only loop heads
//! and errors are ends, as with that operator: recursion that ends is exact within a block.
//!
//! The formula of an edge is made once, for all abstraction states that it leaves: sequences are steps, choices are merged.
//! The parts of a block are made from parts before them, so one pass over them gives the formulas of all of its edges. A concrete path
//! through an edge is found in them as well: at each choice, the part whose guard holds ([`Inside`]).

use super::Abe;
use crate::symbolic::{Encoder, PathFormula};
use robusto_cfa::analysis::large::{LargeBlock, LargeBlocks, LargeOp, PartId};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, LocId};
use robusto_cpa::Step;
use robusto_cpa::blocks;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// For each part of a block, its formula; `None` if it has no path.
type Formulas = Rc<IdxVec<PartId, Option<Rc<PathFormula>>>>;

/// The summarised automata, with the formulas made so far.
pub struct Large {
    automata: IdxVec<FuncId, Rc<LargeBlocks>>,
    /// By the start of a block, all that was made from there: for abstraction states as many as there are depths of recursion.
    known: FxHashMap<(FuncId, LocId), Vec<(PathFormula, Formulas)>>,
}

/// Most formulas that are kept for one start. A start that is no abstraction state (after a recursive call) has a formula of its own
/// each time.
const KEPT: usize = 32;

impl Large {
    /// Summarises a program.
    pub fn of(facts: &Facts) -> Self {
        let automata = facts.program.functions.iter().map(|function| Rc::new(LargeBlocks::of(function))).collect();
        Self { automata, known: FxHashMap::default() }
    }

    /// The steps of the exploration.
    pub fn steps(&self) -> IdxVec<FuncId, blocks::Blocks> {
        let of = |automaton: &Rc<LargeBlocks>| {
            let block = |start: LocId| {
                let large = automaton.blocks[start].as_ref()?;
                let members = [start].into_iter().chain(large.inside.iter().copied()).collect();
                Some(blocks::Block { members, exits: large.exits.iter().map(|&(exit, _)| exit).collect() })
            };
            automaton.blocks.ids().map(block).collect()
        };
        self.automata.iter().map(of).collect()
    }

    /// The automaton of a function.
    pub fn automaton(&self, function: FuncId) -> &LargeBlocks {
        &self.automata[function]
    }

    /// The formulas of all parts of the blocks from a location on.
    fn formulas(
        &mut self,
        encoder: &mut Encoder<'_>,
        limits: &Limits,
        start: &PathFormula,
        at: (FuncId, LocId),
    ) -> Result<Formulas, Stopped> {
        let known = self.known.entry(at).or_default();
        if let Some((_, formulas)) = known.iter().find(|(from, _)| is_same_start(from, start)) {
            return Ok(formulas.clone());
        }
        let (function, loc) = at;
        let block = self.automata[function].blocks[loc].as_ref().expect("a block step starts at a block");
        let mut formulas: IdxVec<PartId, Option<Rc<PathFormula>>> = IdxVec::new();
        for &op in block.parts.iter() {
            limits.poll()?;
            let formula = match op {
                LargeOp::Edge(edge) => encoder.step(start, Step::Edge(function, edge))?.map(Rc::new),
                LargeOp::Sequence(before, edge) => match &formulas[before] {
                    Some(before) => encoder.step(before, Step::Edge(function, edge))?.map(Rc::new),
                    None => None,
                },
                LargeOp::Choice(a, b) => match (&formulas[a], &formulas[b]) {
                    (Some(a), Some(b)) => Some(Rc::new(encoder.merge(a, b))),
                    (a, b) => a.clone().or_else(|| b.clone()),
                },
            };
            formulas.push(formula);
        }
        let formulas = Rc::new(formulas);
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((start.clone(), formulas.clone()));
        Ok(formulas)
    }
}

/// Whether the same formulas come of two starts.
fn is_same_start(a: &PathFormula, b: &PathFormula) -> bool {
    super::same(a, b) && a.choices == b.choices && a.activations == b.activations
}

/// The paths of the program behind one step of the exploration.
pub struct Inside {
    function: FuncId,
    automaton: Rc<LargeBlocks>,
    start: LocId,
    to: LocId,
    formulas: Formulas,
}

impl Inside {
    fn block(&self) -> &LargeBlock {
        self.automaton.blocks[self.start].as_ref().expect("a block step starts at a block")
    }

    /// The conditions that tell which path is taken, over the values at the start of the formula before the step.
    pub fn guards(&self) -> impl Iterator<Item = Term> + '_ {
        self.block().parts.iter().filter_map(|op| match *op {
            LargeOp::Choice(first, _) => self.formulas[first].as_ref().map(|formula| formula.guard),
            LargeOp::Edge(_) | LargeOp::Sequence(..) => None,
        })
    }

    /// The path that is taken.
    pub fn path(&self, mut holds: impl FnMut(Term) -> bool) -> Vec<Step> {
        let is_first = |first: PartId, second: PartId| match (&self.formulas[first], &self.formulas[second]) {
            (Some(first), Some(_)) => holds(first.guard),
            (first, _) => first.is_some(),
        };
        let part = self.block().to(self.to).expect("a block step ends at an exit");
        self.block().path(part, is_first).into_iter().map(|edge| Step::Edge(self.function, edge)).collect()
    }
}

impl Abe<'_> {
    /// The steps of the exploration, if blocks are made before it.
    pub fn large_steps(&self) -> Option<IdxVec<FuncId, blocks::Blocks>> {
        self.large.as_ref().map(Large::steps)
    }

    /// The summarised automaton of a function, if blocks are made before the analysis.
    pub fn large_blocks(&self, function: FuncId) -> Option<&LargeBlocks> {
        self.large.as_ref().map(|large| large.automaton(function))
    }

    /// SP of a step: of an operation of the program, or of a large block.
    pub(super) fn post(&mut self, from: &PathFormula, step: Step) -> Result<Option<PathFormula>, Stopped> {
        let Some(inside) = self.inside(from, step)? else { return self.encoder.step(from, step) };
        let part = inside.block().to(inside.to).expect("a block step ends at an exit");
        Ok(inside.formulas[part].as_deref().cloned())
    }

    /// What is behind a step from a formula on; nothing if it is one of the program.
    pub fn inside(&mut self, from: &PathFormula, step: Step) -> Result<Option<Inside>, Stopped> {
        let (Some(large), Step::Block { function, from: start, to, .. }) = (&mut self.large, step) else {
            return Ok(None);
        };
        let formulas = large.formulas(&mut self.encoder, &self.limits, from, (function, start))?;
        Ok(Some(Inside { function, automaton: large.automata[function].clone(), start, to, formulas }))
    }
}
