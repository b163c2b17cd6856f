//! Intervals along paths, for the product: one box for each vector of cells, and cells as far as paths have needed them.
//!
//! | CPA | here |
//! |---|---|
//! | E | [`Range`]: a box, and the cells that it is in |
//! | merge | merge^join in the same cells; at heads of loops widening after a delay, to thresholds at first |
//! | stop | ⊑ in the same cells |
//! | prec | the variables whose cells are kept apart ([`Ranges::split_by`]); none at first |
//!
//! The constants that a variable is compared with cut its values into cells ([`Cells`]). A box keeps the cells that it had when
//! its node was made; widening may lead out of them, which is right and less precise.

use crate::interval::{thresholds, within};
use crate::numeric::{Cells, Variables};
use crate::symbolic::{Cell, Encoder};
use crate::value::step::{self, Steps};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, VarId};
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Merge, Step};
use robusto_domains::{Boxes, Interval, Lattice as _, Thresholds};
use robusto_limits::Stopped;
use robusto_logic::Term;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Times that a head joins before it widens: where nothing is split, and where something is. (With cells, 200 as in the numeric
/// analysis: each number settles by itself after some rounds.)
const DELAY: (u32, u32) = (2, 200);

/// Times that a head joins or widens to thresholds before it gives up bounds altogether.
const TO_THRESHOLDS: u32 = 16;

/// Values of variables.
#[derive(Clone, Debug)]
pub struct Range {
    /// What the variables can be.
    pub boxes: Boxes<VarId>,
    /// In which cells these were at first.
    pub(super) cells: Rc<[(u8, u8)]>,
    /// How often it has grown.
    grown: u32,
    /// Whether it has grown since it was expanded.
    pub(super) fresh: bool,
    /// What the last step gave to variables that have no interval, for whoever tracks them. No part of the state.
    pub(super) told: Vec<(VarId, u64)>,
}

/// The analysis.
pub struct Ranges<'f> {
    facts: &'f Facts,
    steps: Steps<'f>,
    owned: IdxVec<VarId, bool>,
    all_cells: Cells,
    cells: Cells,
    split: BTreeSet<VarId>,
    thresholds: Thresholds,
    loops: IdxVec<FuncId, LoopForest>,
}

impl<'f> Ranges<'f> {
    /// Prepares the analysis of some variables.
    pub fn new(facts: &'f Facts, owned: IdxVec<VarId, bool>) -> Self {
        let all_cells = Cells::of(facts, &Variables::of(facts, 0)).only(|var| owned[var]);
        Self {
            facts,
            steps: Steps::new(facts),
            owned,
            all_cells,
            cells: Cells::one(),
            split: BTreeSet::new(),
            thresholds: thresholds(facts),
            loops: facts.program.functions.iter().map(LoopForest::of).collect(),
        }
    }

    /// Whether a variable has an interval.
    pub fn owns(&self, var: VarId) -> bool {
        self.owned[var]
    }

    /// Keeps states apart by the cells of these variables, too; whether that is new.
    pub fn split_by(&mut self, vars: &BTreeSet<VarId>) -> bool {
        let before = self.split.len();
        self.split.extend(self.all_cells.variables().filter(|var| vars.contains(var)));
        self.cells = self.all_cells.only(|var| self.split.contains(&var));
        self.split.len() > before
    }

    /// The variables whose cells are kept apart.
    pub fn split(&self) -> impl Iterator<Item = VarId> + '_ {
        self.split.iter().copied()
    }

    fn state(&self, boxes: Boxes<VarId>, told: Vec<(VarId, u64)>) -> Range {
        let cells = self.cells.key_of(&boxes).into();
        Range { boxes, cells, grown: 0, fresh: true, told }
    }

    /// A state at the head of a loop in parts that are in one cell each: there the next round begins, in which all that was
    /// joined is joined for good. Elsewhere conditions take a state apart soon enough.
    pub(super) fn parts(&self, state: Range, at: Location) -> Vec<Range> {
        if self.split.is_empty() || !self.loops[at.function].is_head(at.loc) {
            return vec![state];
        }
        let pieces = self.cells.split_boxes(state.boxes.clone());
        pieces.into_iter().map(|boxes| self.state(boxes, Vec::new())).collect()
    }

    /// Restricts a variable; `None` if it cannot have these values.
    pub(super) fn restrict(&self, mut state: Range, var: VarId, values: Interval) -> Option<Range> {
        let met = state.boxes.get(&var).map_or(values, |old| old.meet(&values));
        if met.is_bottom() {
            return None;
        }
        if state.boxes.get(&var) != Some(&met) {
            state.boxes.insert(var, met);
            state.cells = self.cells.key_of(&state.boxes).into();
        }
        Some(state)
    }
}

impl Analysis for Ranges<'_> {
    type State = Range;

    fn initial(&mut self) -> Result<Range, Stopped> {
        Ok(self.state(step::start(self.facts, |var| self.owned[var]), Vec::new()))
    }

    fn transfer(&mut self, state: &Range, step: Step) -> Result<Option<Range>, Stopped> {
        let prepared = self.steps.get(step);
        let after = prepared.apply(&self.facts.program.exprs, &state.boxes, |var| self.owned[var]);
        Ok(after.map(|(boxes, told)| self.state(boxes, told)))
    }

    fn merge(&mut self, new: &Range, old: &Range, at: Location) -> Result<Merge<Range>, Stopped> {
        if new.cells != old.cells {
            return Ok(Merge::Keep);
        }
        let delay = if self.split.is_empty() { DELAY.0 } else { DELAY.1 };
        let widening = match old.grown {
            _ if !self.loops[at.function].is_head(at.loc) => None,
            grown if grown < delay => None,
            grown if grown < delay + TO_THRESHOLDS => Some(&self.thresholds),
            _ => Some(&Thresholds::NONE),
        };
        Ok(match old.boxes.grown(&new.boxes, widening) {
            None => Merge::Keep,
            Some(boxes) => {
                Merge::Replace(Range { boxes, grown: old.grown + 1, fresh: true, told: Vec::new(), ..old.clone() })
            }
        })
    }

    fn stop(&self, new: &Range, old: &Range) -> Result<bool, Stopped> {
        Ok(new.cells == old.cells && new.boxes.leq(&old.boxes))
    }
}

impl Range {
    /// That the variables with a cell are within their intervals, over the inputs of cells.
    pub fn formula(&self, encoder: &mut Encoder<'_>, cell: impl Fn(VarId) -> Option<Cell>) -> Term {
        let mut all = Vec::new();
        for (&var, interval) in self.boxes.iter() {
            let Some(cell) = cell(var) else { continue };
            let value = encoder.input(cell);
            all.push(within(&mut encoder.terms, value, interval));
        }
        encoder.terms.and_all(&all)
    }
}
