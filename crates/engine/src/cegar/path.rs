//! Abstract error paths: sequences of blocks, and the concrete paths through them.

use imbl::OrdMap;
use robusto_analyses::predicate::{Abe, Inside, Role, Scope, State};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cpa::control::Location;
use robusto_cpa::{Arg, ExpansionId, StateId, Step};
use robusto_logic::{Evaluator, Model, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
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
    /// The locations between its start and its end, if predicates are tracked there.
    pub between: Vec<Location>,
}

/// The blocks from the start of the program to an abstraction state, given the node of each block's start.
pub fn blocks(abe: &Abe<'_>, arg: &Arg<State>, nodes: &[Option<StateId>], end: &State) -> Vec<PathBlock> {
    let is_between = abe.precision().scope() == Scope::Between;
    let mut path = Vec::new();
    let mut block = end.block;
    while let Some(from) = &abe.block(block).from {
        let end = nodes[block.index()].expect("the start of a block is a node");
        path.push(PathBlock {
            end,
            location: abe.block(block).location.expect("only the first block has no location"),
            formula: from.formula.clone(),
            predicates: abe.block(block).predicates,
            invariant: abe.block(block).invariant,
            between: if is_between { between(arg, end) } else { Vec::new() },
        });
        block = from.block;
    }
    path.reverse();
    path
}

/// The locations inside of the block that ends at a node.
fn between(arg: &Arg<State>, end: StateId) -> Vec<Location> {
    let (mut found, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::from([end]), vec![end]);
    while let Some(node) = stack.pop() {
        for (expansion, _) in arg.latest(node, None).into_iter().filter_map(|earlier| earlier.origin) {
            let (parent, data) = arg.expansion(expansion);
            if data.role != Role::Start && seen.insert(parent) {
                found.insert(arg.node(parent).state.location);
                stack.push(parent);
            }
        }
    }
    found.into_iter().collect()
}

/// What the inputs of the blocks of a path stand for.
#[derive(Debug)]
pub enum Frames {
    /// The values at the end of the blocks before: one real execution. The first block has no blocks before it.
    Composed(Vec<PathFormula>),
    /// Variables of their own: the blocks are not linked. For each block, the symbols that were renamed, and to what.
    Separate(Vec<FxHashMap<Symbol, Symbol>>),
}

impl Frames {
    /// Composes the blocks.
    pub fn compose(encoder: &mut Encoder<'_>, path: &[PathBlock]) -> (Frames, PathFormula) {
        let mut before = Vec::with_capacity(path.len());
        let mut whole = PathFormula::clone(&path[0].formula);
        for (i, block) in path.iter().enumerate().skip(1) {
            let next = encoder.compose(&whole, &block.formula, i as u32);
            before.push(std::mem::replace(&mut whole, next));
        }
        (Frames::Composed(before), whole)
    }

    /// Blocks that are not linked.
    pub fn separate(path: &[PathBlock]) -> Frames {
        Frames::Separate(vec![FxHashMap::default(); path.len()])
    }

    /// A term over the inputs and choices of block number `i`, in this frame.
    pub fn place(&mut self, encoder: &mut Encoder<'_>, i: usize, term: Term) -> Term {
        match self {
            Frames::Composed(_) if i == 0 => term,
            Frames::Composed(before) => encoder.place(&before[i - 1].env, term, i as u32),
            Frames::Separate(renamed) => {
                let mut inputs = OrdMap::new();
                for symbol in encoder.terms.symbols(term) {
                    let copy = match encoder.cell_of(symbol) {
                        Some(cell) => {
                            let copy = copy(encoder, cell, i);
                            inputs.insert(cell, copy);
                            copy
                        }
                        None => encoder.instance(encoder.terms.symbol_term(symbol), i as u32),
                    };
                    renamed[i].insert(symbol, encoder.terms.as_symbol(copy).expect("a symbol"));
                }
                encoder.place(&inputs, term, i as u32)
            }
        }
    }

    /// The values that a model gives to the inputs and choices of block number `i`, if they can be listed.
    fn values(&self, i: usize, model: &Model) -> Option<Model> {
        let Frames::Separate(renamed) = self else { return None };
        let mut values = model.clone();
        for (&symbol, &copy) in &renamed[i] {
            match model.array(copy) {
                Some(array) => values.set_array(symbol, array.clone()),
                None => values.set(symbol, model.get(copy)),
            }
        }
        Some(values)
    }
}

/// The variable that stands for a cell at the start of block `i`.
fn copy(encoder: &mut Encoder<'_>, cell: Cell, i: usize) -> Term {
    let input = encoder.input(cell);
    let sort = encoder.terms.sort(input);
    let name = format!("{}@{i}", encoder.terms.display(input));
    encoder.terms.symbol(&name, sort)
}

/// A step of a concrete path.
#[derive(Clone, Debug)]
pub struct PathStep {
    /// The step.
    pub step: Step,
    /// The block that it lies in.
    pub block: usize,
}

/// The concrete path through the blocks that a model takes.
pub fn concrete(
    abe: &mut Abe<'_>,
    arg: &Arg<State>,
    path: &[PathBlock],
    frames: &mut Frames,
    model: &Model,
) -> Option<Vec<PathStep>> {
    let mut steps = Vec::new();
    for (i, block) in path.iter().enumerate().rev() {
        let through = match frames.values(i, model) {
            Some(values) => inside(abe, arg, block, &values),
            None => {
                let steps = through(arg, block.end, |formulas| {
                    abe.taken(formulas, |encoder, term| {
                        let term = frames.place(encoder, i, term);
                        encoder.terms.evaluate(term, model) == 1
                    })
                });
                steps.and_then(|steps| of_program(abe, steps, |encoder, term| frames.place(encoder, i, term), model))
            }
        }?;
        steps.extend(through.into_iter().map(|step| PathStep { step, block: i }));
    }
    steps.reverse();
    Some(steps)
}

/// The concrete path that models of the blocks take, each over the inputs and choices of its block.
pub fn through_models(
    abe: &mut Abe<'_>,
    arg: &Arg<State>,
    path: &[PathBlock],
    models: &[Model],
) -> Option<Vec<PathStep>> {
    let mut steps = Vec::new();
    for (i, (block, model)) in path.iter().zip(models).enumerate() {
        let inside = inside(abe, arg, block, model)?;
        steps.extend(inside.into_iter().rev().map(|step| PathStep { step, block: i }));
    }
    Some(steps)
}

/// The steps of one block that a model of its inputs and choices takes, the last first.
fn inside(abe: &mut Abe<'_>, arg: &Arg<State>, block: &PathBlock, model: &Model) -> Option<Vec<Step>> {
    let steps = if abe.merges_visits() {
        through(arg, block.end, |formulas| {
            abe.taken(formulas, |encoder, term| encoder.terms.evaluate(term, model) == 1)
        })
    } else {
        // The guards of a block share most of their terms.
        let mut evaluator = Evaluator::new(&abe.encoder().terms, model);
        through(arg, block.end, |formulas| formulas.iter().position(|f| evaluator.value(f.guard) == 1))
    };
    of_program(abe, steps?, |_, term| term, model)
}

/// Steps of the exploration, each with the formula before it, as steps of the program, where blocks were made before it; the
/// last first. `place` puts a condition on the values before the block where the model speaks of it.
fn of_program(
    abe: &mut Abe<'_>,
    steps: Vec<(Step, &PathFormula)>,
    mut place: impl FnMut(&mut Encoder<'_>, Term) -> Term,
    model: &Model,
) -> Option<Vec<Step>> {
    let mut placed: FxHashMap<Term, Term> = FxHashMap::default();
    let mut all = Vec::with_capacity(steps.len());
    for (step, from) in steps {
        let inside = abe.inside(from, step).ok()?;
        for guard in inside.iter().flat_map(Inside::guards) {
            placed.entry(guard).or_insert_with(|| place(abe.encoder_mut(), guard));
        }
        all.push((step, inside));
    }
    let mut evaluator = Evaluator::new(&abe.encoder().terms, model);
    let paths = all.into_iter().flat_map(|(step, inside)| match inside {
        Some(inside) => inside.path(|guard| evaluator.value(placed[&guard]) == 1).into_iter().rev().collect(),
        None => vec![step],
    });
    Some(paths.collect())
}

/// The steps of the path through one block that is taken, each with the formula before it, the last first; `taken` chooses
/// among merged formulas.
fn through(
    arg: &Arg<State>,
    end: StateId,
    mut taken: impl FnMut(&[&PathFormula]) -> Option<usize>,
) -> Option<Vec<(Step, &PathFormula)>> {
    let mut steps = Vec::new();
    let mut node = end;
    let mut before: Option<ExpansionId> = None;
    loop {
        let mut earlier = arg.latest(node, before);
        let formulas: Vec<&PathFormula> = earlier.iter().map(|c| &*c.data.formula).collect();
        let taken = if formulas.len() == 1 { 0 } else { taken(&formulas)? };
        let (expansion, step) = earlier.swap_remove(taken).origin?;
        let (parent, data) = arg.expansion(expansion);
        steps.push((step, &*data.formula));
        if data.role == Role::Start {
            return Some(steps);
        }
        node = parent;
        before = Some(expansion);
    }
}
