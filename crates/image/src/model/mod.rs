//! The finite-state model of a program (Section 3 of the paper): words of bits, locations, and for each location the steps that
//! leave it.
//!
//! | module | step |
//! |---|---|
//! | `control` | calls inlined: locations with their pending calls, joined to basic blocks |
//! | `encode` | each block as one parallel assignment per exit, by the encoding of steps that all engines share |
//! | `memory` | arrays become words, one for each address that a program can name |
//! | `narrow` | words that provably have few values become short |
//! | `live` | which words still matter at a location |
//! | `order` | which words stand beside each other in decision diagrams |
//!
//! What is bounded says so: recursion beyond the depth, and allocation beyond the size of the heap, lead to locations of their
//! own ([`Place::Bound`]). If one is reachable, the model knows nothing of what follows.
//!
//! The model is exact on the words that matter: what a block computes is what the encoder computes, except where
//! [`Model::approximations`] lists an edge.

#[cfg(test)]
pub(crate) mod by_hand;
mod control;
mod encode;
mod live;
mod memory;
mod narrow;
mod order;

pub use live::WordSet;
pub(crate) use narrow::where_known;

use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_cpa::{Approximation, Step};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Term, Terms};

/// What is bounded, and what is used to save bits.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most activations of a recursive function at a time.
    pub recursion: u32,
    /// Bytes of the heap.
    pub heap: u64,
    /// Whether words become shorter than their types where that is provably enough.
    pub narrow: bool,
    /// Whether blocks assign words that are dead where they lead, too: for a comparison.
    pub keep_dead: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { recursion: 3, heap: 256, narrow: true, keep_dead: false }
    }
}

/// A word of the state.
#[derive(Clone, Debug)]
pub struct Word {
    /// What it is in the program, for people.
    pub name: String,
    /// Its value at the start of a block, coded.
    pub symbol: Term,
    /// The cell that it is, or that it is a part of.
    pub cell: Cell,
    /// Its address, if it is an element of an array.
    pub address: Option<u64>,
    /// What its bits mean.
    pub code: Code,
}

/// What the bits of a word mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// Themselves.
    Plain,
    /// The lowest bits of a value whose other bits are zero, or the sign.
    Low {
        /// Bits of the value.
        width: u16,
        /// Whether the other bits are the sign.
        signed: bool,
    },
    /// A position in a list of values.
    Listed {
        /// Bits of the value.
        width: u16,
        /// The values.
        values: Vec<u128>,
    },
    /// A position in a list of ranges, each from its start to before the start of the next, as unsigned numbers. The model has no
    /// need to tell values of a range apart.
    Ranges {
        /// Bits of the value.
        width: u16,
        /// Where ranges start, ascending; the first one is 0.
        starts: Vec<u128>,
    },
    /// How often `step`, which is a power of two, is to be added to `base`.
    Steps {
        /// Bits of the value.
        width: u16,
        /// The least value.
        base: u128,
        /// The distance of neighbours.
        step: u128,
    },
}

/// What a location is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A location of the program with its pending calls, the oldest first.
    Control(Vec<(FuncId, EdgeId)>, Location),
    /// The end: of `main`, of an execution that was halted or assumed away.
    End,
    /// Behind an edge that is a target: a violation, or a step that is not modelled.
    Target(FuncId, EdgeId),
    /// Where the encoding ends, and why.
    Gap(String),
    /// What is beyond a bound of the model: which one, and how much there is room for.
    Bound(&'static str, u64),
}

/// A way out of a block.
#[derive(Clone, Debug)]
pub struct Exit {
    /// When it is taken.
    pub guard: Term,
    /// The location that it leads to.
    pub to: usize,
    /// The words that change; all others keep their value.
    pub assign: Vec<(usize, Term)>,
    /// The steps of the program.
    pub steps: Vec<Step>,
}

/// The model. Locations, words and inputs are numbers; a location without exits is a sink.
#[derive(Debug)]
pub struct Model {
    /// All terms.
    pub terms: Terms,
    /// The state.
    pub words: Vec<Word>,
    /// What locations are; the first one is the start.
    pub places: Vec<Place>,
    /// The exits of each location. Their guards exclude each other, and one of them holds.
    pub exits: Vec<Vec<Exit>>,
    /// Values at the start; words that are not listed can have any.
    pub start: Vec<(usize, Term)>,
    /// By location, the words whose value still matters.
    pub live: Vec<WordSet>,
    /// Words that stand beside each other in decision diagrams, from the top.
    pub groups: Vec<Vec<usize>>,
    /// What is over-approximated.
    pub approximations: Vec<Approximation>,
    /// The words that were given codes, those included that no longer matter then: some have only one value.
    pub narrowed: Narrowed,
}

/// What short words rest on: at each location, live words have values that their codes can mean.
#[derive(Clone, Default, Debug)]
pub struct Narrowed {
    /// All words.
    pub words: Vec<Word>,
    /// By location, the words whose value still mattered before.
    pub live: Vec<WordSet>,
}

impl Model {
    /// The model of a program, given bounds of its variables.
    pub fn of(
        facts: &Facts,
        intervals: Option<&Invariants>,
        options: &Options,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let graph = control::Graph::of(facts, intervals, options.recursion, limits)?;
        let encoded = encode::encode(facts, &graph, options, limits)?;
        let mut model = memory::scalars(facts, encoded, options, limits)?;
        model.forget_dead_words(options.keep_dead);
        if options.narrow {
            narrow::narrow(&mut model, facts, intervals, options.heap);
            model.narrowed = Narrowed { words: model.words.clone(), live: model.live.clone() };
            model.forget_dead_words(options.keep_dead);
        }
        model.groups = order::groups(facts, &model);
        Ok(model)
    }

    /// Bits of the state, the program counter not counted.
    pub fn bits(&self) -> u32 {
        self.words.iter().map(|word| u32::from(self.terms.width(word.symbol))).sum()
    }

    /// Bits of the program counter.
    pub fn counter_bits(&self) -> u32 {
        self.places.len().next_power_of_two().trailing_zeros()
    }

    /// The value of a word as the program sees it, given its coded one.
    pub fn decode(terms: &mut Terms, code: &Code, coded: Term) -> Term {
        match *code {
            Code::Plain => coded,
            Code::Low { width, signed: false } => terms.zext(coded, width),
            Code::Low { width, signed: true } => terms.sext(coded, width),
            // The start of a range stands for all of it.
            Code::Listed { width, ref values } | Code::Ranges { width, starts: ref values } => {
                let bits = terms.width(coded);
                let (last, others) = values.split_last().expect("a list has values");
                let mut value = terms.constant(width, *last);
                for (number, &listed) in others.iter().enumerate().rev() {
                    let (number, listed) = (terms.constant(bits, number as u128), terms.constant(width, listed));
                    let is_it = terms.eq(coded, number);
                    value = terms.ite(is_it, listed, value);
                }
                value
            }
            Code::Steps { width, base, step } => {
                let wide = terms.zext(coded, width);
                let shift = terms.constant(width, u128::from(step.trailing_zeros()));
                let distance = terms.shl(wide, shift);
                let base = terms.constant(width, base);
                terms.add(base, distance)
            }
        }
    }
}
