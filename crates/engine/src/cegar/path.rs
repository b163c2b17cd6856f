//! Abstract error paths: sequences of blocks, and the concrete paths through them.

use robusto_analyses::predicate::{Abe, Role, State};
use robusto_analyses::symbolic::PathFormula;
use robusto_cpa::control::Location;
use robusto_cpa::{Arg, ExpansionId, StateId, Step};
use robusto_logic::{Model, Term};
use std::rc::Rc;

/// A block of an error path.
#[derive(Clone, Debug)]
pub struct PathBlock {
    /// The abstraction state at its end.
    pub end: StateId,
    /// Where it ends.
    pub location: Location,
    /// Its formula, over the inputs of the block.
    pub formula: Rc<PathFormula>,
    /// How many predicates its end was abstracted with.
    pub predicates: usize,
    /// What other analyses know at its end, over the inputs of the next block.
    pub invariant: Term,
}

/// The blocks from the start of the program to an abstraction state, given the node of each block's start.
pub fn blocks(abe: &Abe<'_>, nodes: &[Option<StateId>], end: &State) -> Vec<PathBlock> {
    let mut path = Vec::new();
    let mut block = end.block;
    while let Some(from) = &abe.block(block).from {
        path.push(PathBlock {
            end: nodes[block.index()].expect("the start of a block is a node"),
            location: abe.block(block).location.expect("only the first block has no location"),
            formula: from.formula.clone(),
            predicates: abe.block(block).predicates,
            invariant: abe.block(block).invariant,
        });
        block = from.block;
    }
    path.reverse();
    path
}

/// Values for the inputs and choices of the blocks of a path.
#[derive(Debug)]
pub enum Valuation {
    /// One execution: the inputs of a block are the values at the end of the blocks before. The first block has none.
    Execution { before: Vec<PathFormula>, model: Model },
    /// A model for each block by itself.
    Blocks(Vec<Model>),
}

impl Valuation {
    /// Whether a truth value over the inputs and choices of block number `i` holds.
    fn holds(&self, abe: &mut Abe<'_>, i: usize, term: Term) -> bool {
        let value = match self {
            Valuation::Execution { model, .. } if i == 0 => abe.encoder.terms.evaluate(term, model),
            Valuation::Execution { before, model } => {
                let term = abe.encoder.place(&before[i - 1].env, term, i as u32);
                abe.encoder.terms.evaluate(term, model)
            }
            Valuation::Blocks(models) => abe.encoder.terms.evaluate(term, &models[i]),
        };
        value == 1
    }
}

/// The compositions of the first blocks of a path: of one, of two, …, and of all.
pub fn compose(abe: &mut Abe<'_>, path: &[PathBlock]) -> (Vec<PathFormula>, PathFormula) {
    let mut before = Vec::with_capacity(path.len());
    let mut whole = PathFormula::clone(&path[0].formula);
    for (i, block) in path.iter().enumerate().skip(1) {
        let next = abe.encoder.compose(&whole, &block.formula, i as u32);
        before.push(std::mem::replace(&mut whole, next));
    }
    (before, whole)
}

/// A step of a concrete path.
#[derive(Clone, Debug)]
pub struct PathStep {
    /// The step.
    pub step: Step,
    /// The block that it lies in.
    pub block: usize,
}

/// The concrete path through the blocks that a valuation takes.
pub fn concrete(
    abe: &mut Abe<'_>,
    arg: &Arg<State>,
    path: &[PathBlock],
    valuation: &Valuation,
) -> Option<Vec<PathStep>> {
    let mut steps = Vec::new();
    for (i, block) in path.iter().enumerate().rev() {
        let mut node = block.end;
        let mut before: Option<ExpansionId> = None;
        loop {
            let mut earlier: Vec<_> = arg
                .node(node)
                .contributions
                .iter()
                .filter(|c| before.is_none_or(|before| c.origin.is_none_or(|(origin, _)| origin < before)))
                .collect();
            let formulas: Vec<&PathFormula> = earlier.iter().map(|c| &*c.data.formula).collect();
            let taken = abe.taken(&formulas, |abe, term| valuation.holds(abe, i, term))?;
            let (expansion, step) = earlier.swap_remove(taken).origin?;
            let (parent, data) = arg.expansion(expansion);
            steps.push(PathStep { step, block: i });
            if data.role == Role::Start {
                break;
            }
            node = parent;
            before = Some(expansion);
        }
    }
    steps.reverse();
    Some(steps)
}
