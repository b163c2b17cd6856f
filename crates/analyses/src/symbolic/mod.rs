//! Steps of the automaton as formulas: the exact symbolic encoding that predicate abstraction, bounded model checking and
//! their relatives share.
//!
//! A [`PathFormula`] describes all paths of a block of the program (Beyer, Keremoglu, Wendler: *Predicate Abstraction
//! with Adjustable-Block Encoding*, FMCAD 2010, Section III): under which condition on the values at the start of the
//! block and on the nondeterministic choices such a path is taken, and which values the cells then have. It is a
//! strongest postcondition in functional form, without existential quantifiers and without SSA indices:
//!
//! | the paper | here |
//! |---|---|
//! | path formula φ | [`PathFormula::guard`] and [`PathFormula::env`] |
//! | SP of an operation | [`Encoder::step`] |
//! | φ₁ ∨ φ₂ with equalities for the indices | [`Encoder::merge`] |
//! | renaming of abstraction variables | [`Encoder::apply`], [`Encoder::compose`] |
//! | (summaries of calls) | [`Encoder::step_over`], [`Encoder::summary`]; exact ones, [`WholeCalls`] |
//!
//! Where we deviate: a cell that one of two merged paths has changed becomes an if between the two values instead of a
//! fresh SSA variable with an equation on either side. Terms are shared, so this costs nothing, and the simplifier sees
//! through it.
//!
//! # Memory
//!
//! Pointers are bit-vectors. Functions, globals and constants have the interpreter's addresses; a local object has one
//! per activation of its function; the heap grows upwards and gives nothing back, so an allocated object's address is
//! unlike any other. Where the program makes claims about memory, objects lie so that an address tells its object
//! (`objects`). Memory is cut into [`regions`], each an array that is indexed by address.
//!
//! # Soundness and exactness
//!
//! For every execution of a block that starts with values *s* and makes the choices *c*: `guard` holds for (*s*, *c*)
//! and each cell of `env` evaluates to the cell's value at the end, by induction over the steps; cells that are not in
//! `env` have kept their value, or are never read again (`step` says which those are). Conversely every model of the
//! guard is such an execution, except where [`Encoder::approximations`] lists an edge: there, values are arbitrary that
//! have one meaning. Executions end at the first access outside of a live object.

mod addresses;
mod call;
mod claims;
mod compose;
mod contents;
mod expr;
mod float;
mod formula;
mod locals;
mod memory;
mod objects;
mod outside;
pub mod regions;
mod start;
mod step;
mod whole;

pub use contents::Contents;
pub use formula::PathFormula;
pub use objects::Room;
pub use regions::{RegionId, Regions};
pub use whole::{Entered, Outcome, Part, WholeCalls};

use addresses::Addresses;
use formula::Paths;
use imbl::OrdMap;
use objects::Objects;
use robusto_cfa::analysis::points_to::{Base, SiteId};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, IdxVec, ObjId, VarId};
use robusto_cpa::blocks::Blocks;
use robusto_cpa::{Approximation, Approximations, Step};
use robusto_logic::{Sort, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that has a value which steps change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// A variable, and which activation of its function it belongs to: 0 unless the function is recursive.
    Var(VarId, u32),
    /// A region of memory.
    Region(RegionId),
    /// The address of the next heap object.
    HeapTop,
    /// The address of the next heap object in a room.
    RoomTop(Room),
    /// The sizes of the live objects of an allocation site, plus one.
    Extent(SiteId),
    /// For each 16 bytes, where the object of an allocation site begins that they belong to; where the only one begins.
    Starts(SiteId),
    /// The number of live heap objects.
    Live,
}

/// Encodes the steps of one program.
pub struct Encoder<'f> {
    /// The terms of all formulas.
    pub terms: Terms,
    facts: &'f Facts,
    regions: Regions,
    addresses: Addresses,
    objects: Objects,
    inputs: FxHashMap<Cell, Term>,
    cells: FxHashMap<Symbol, Cell>,
    /// Cells by the symbols for their values when the function was entered.
    olds: FxHashMap<Symbol, Cell>,
    /// What calls of functions may change, once asked for.
    changed: FxHashMap<FuncId, Rc<[Cell]>>,
    names: FxHashSet<String>,
    choices: FxHashSet<Symbol>,
    /// Numbers of the pairs of formulas that were merged over visits.
    selectors: FxHashMap<[(Term, OrdMap<Cell, Term>); 2], usize>,
    instances: FxHashMap<(Symbol, u32), Term>,
    paths: Paths,
    approximations: Approximations,
    blocks: Option<IdxVec<FuncId, Blocks>>,
    /// Per function, its objects whose bytes may be read before they are written.
    fresh: FxHashMap<FuncId, Vec<ObjId>>,
}

impl<'f> Encoder<'f> {
    /// Prepares the encoding: cuts memory into regions and gives objects their addresses.
    pub fn new(facts: &'f Facts) -> Self {
        let terms = Terms::new();
        let paths = Paths::new(terms.yes());
        let addresses = Addresses::new(&facts.program);
        let objects = Objects::of(facts, &addresses);
        Self {
            terms,
            facts,
            regions: Regions::of(facts),
            addresses,
            objects,
            inputs: FxHashMap::default(),
            cells: FxHashMap::default(),
            olds: FxHashMap::default(),
            changed: FxHashMap::default(),
            names: FxHashSet::default(),
            choices: FxHashSet::default(),
            selectors: FxHashMap::default(),
            instances: FxHashMap::default(),
            paths,
            approximations: Approximations::default(),
            blocks: None,
            fresh: FxHashMap::default(),
        }
    }

    /// What the encoding knows of the program.
    pub fn facts(&self) -> &'f Facts {
        self.facts
    }

    /// How memory is cut.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The address of a named object in an activation of its function (0 unless that is recursive).
    pub fn address_of(&self, object: ObjId, activation: u32) -> Option<u64> {
        self.addresses.object(object, activation)
    }

    /// The address of the only object of a site, if it has no more than one.
    pub fn address_of_site(&self, site: SiteId) -> Option<u64> {
        self.objects.fixed(site)
    }

    /// The symbol for a cell's value at the start of a block.
    pub fn input(&mut self, cell: Cell) -> Term {
        if let Some(&term) = self.inputs.get(&cell) {
            return term;
        }
        let mut name = self.cell_name(cell);
        if self.names.contains(&name) {
            name = format!("{name}'{cell:?}");
        }
        let sort = self.sort(cell);
        let term = self.terms.symbol(&name, sort);
        self.names.insert(name);
        self.inputs.insert(cell, term);
        self.cells.insert(self.terms.as_symbol(term).expect("a symbol"), cell);
        term
    }

    /// Block steps are those of these blocks; else of all that there are.
    pub fn set_blocks(&mut self, blocks: IdxVec<FuncId, Blocks>) {
        self.blocks = Some(blocks);
    }

    /// The cell whose value at the start of a block a symbol stands for.
    pub fn cell_of(&self, symbol: Symbol) -> Option<Cell> {
        self.cells.get(&symbol).copied()
    }

    /// The sort of a cell's values.
    pub fn sort(&self, cell: Cell) -> Sort {
        let program = &self.facts.program;
        let index = u16::from(program.model.pointer_bits());
        match cell {
            Cell::Var(var, _) => Sort::Bits(program.vars[var].ty.bits(program.model) as u16),
            Cell::Region(region) => {
                let region = &self.regions.regions[region];
                let element = 8 * region.width as u16;
                if region.single.is_some() { Sort::Bits(element) } else { Sort::Array { index, element } }
            }
            Cell::HeapTop | Cell::RoomTop(_) | Cell::Live => Sort::Bits(index),
            Cell::Extent(site) | Cell::Starts(site) if self.objects.classes[site].has_one() => Sort::Bits(index),
            Cell::Extent(_) | Cell::Starts(_) => Sort::Array { index, element: index },
        }
    }

    /// A name for people: `x`, `f::x`, and with an activation `f::x#2`.
    fn cell_name(&self, cell: Cell) -> String {
        let program = &self.facts.program;
        match cell {
            Cell::Var(var, activation) => {
                let info = &program.vars[var];
                let owner = info.kind.owner().map(|f| format!("{}::", program.functions[f].name)).unwrap_or_default();
                let activation = if activation == 0 { String::new() } else { format!("#{activation}") };
                format!("{owner}{}{activation}", info.name)
            }
            Cell::Region(region) => match self.regions.regions[region].single {
                Some((Base::Object(object), 0)) => program.objects[object].name.to_string(),
                Some((Base::Object(object), offset)) => format!("{}+{offset}", program.objects[object].name),
                Some((Base::Site(site), offset)) => format!("heap{}+{offset}", robusto_cfa::ir::Idx::index(site)),
                Some(_) | None => format!("memory{}", robusto_cfa::ir::Idx::index(region)),
            },
            Cell::HeapTop => "heap_top".to_owned(),
            Cell::RoomTop(room) => format!("heap_top{}", room as u8),
            Cell::Extent(site) => format!("extent{}", robusto_cfa::ir::Idx::index(site)),
            Cell::Starts(site) => format!("starts{}", robusto_cfa::ir::Idx::index(site)),
            Cell::Live => "heap_live".to_owned(),
        }
    }

    /// A cell's value after the paths of a formula.
    pub fn value(&mut self, f: &PathFormula, cell: Cell) -> Term {
        match f.env.get(&cell) {
            Some(&term) => term,
            None => self.input(cell),
        }
    }

    /// The edges met so far that are over-approximated.
    pub fn approximations(&self) -> impl Iterator<Item = &Approximation> {
        self.approximations.iter()
    }

    /// Notes that a step is not exact.
    fn approximate(&mut self, step: Step, what: &'static str) {
        self.approximations.note(&self.facts.program, step, what);
    }

    /// The symbol of a choice: the same edge and number give the same symbol.
    fn choice_symbol(&mut self, (function, edge): (FuncId, EdgeId), number: u32, sort: Sort) -> Term {
        // Calls through one edge can make choices of different sorts.
        let sort_name = match sort {
            Sort::Bits(width) => width.to_string(),
            Sort::Array { element, .. } => format!("[{element}]"),
        };
        let term = self.terms.symbol(&format!("choice!{function}!{edge}!{number}!{sort_name}"), sort);
        self.choices.insert(self.terms.as_symbol(term).expect("a symbol"));
        term
    }
}
