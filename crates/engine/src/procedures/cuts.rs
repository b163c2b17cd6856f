//! Cut points and the links between them.

use super::{Call, Procedure};
use crate::unroll::{ContextId, Found, NodeId, Place, Relevance, Unroller};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::ir::{EdgeId, FuncId, VarId};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A cut point of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutId(u32);

impl CutId {
    /// The entry.
    pub const ENTRY: Self = Self(0);
    /// The exit.
    pub const EXIT: Self = Self(1);

    /// By its index.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 cut points"))
    }

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place where a procedure is cut.
#[derive(Clone, Debug)]
pub struct Cut {
    /// What is there.
    pub kind: CutKind,
    /// Whether it is the head of a loop; a call can be one.
    pub is_head: bool,
    /// Where.
    pub location: Location,
    /// The pending calls within the activation, the oldest first.
    pub calls: Vec<(FuncId, EdgeId)>,
}

/// What is at a cut point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutKind {
    /// The entry.
    Entry,
    /// The head of a loop, and nothing else.
    Head,
    /// A call of a kept function.
    Call,
    /// The exit.
    Exit,
}

/// All paths from a cut point to the next.
#[derive(Debug)]
pub struct Link {
    /// From here.
    pub from: CutId,
    /// If it starts behind a call there: its number among the calls.
    pub over: Option<usize>,
    /// To there.
    pub to: End,
    /// Their formula.
    pub formula: PathFormula,
    /// The end in the unrolled procedure; `None` if the link has no step.
    pub(super) node: Option<NodeId>,
    /// The step behind that.
    pub(super) last: Option<Step>,
}

/// Where a link ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// At a cut point.
    Cut(CutId),
    /// With a step along an error edge, or one that is not supported.
    Violation(Step),
    /// At something that is not modelled.
    Unmodelled(String),
}

/// Walks the paths of all procedures.
pub(super) struct Walk<'w, 'f> {
    pub encoder: &'w mut Encoder<'f>,
    pub unroller: Unroller<'f>,
    pub limits: &'w Limits,
    pub origin: u32,
    pub relevance: Relevance,
}

/// A procedure in the making.
struct Making {
    procedure: Procedure,
    places: Vec<Option<Place>>,
    ids: FxHashMap<(ContextId, Location), CutId>,
    /// Cut points whose links are still to be found.
    todo: Vec<CutId>,
    /// The state at a cut point: any, but for what is constant.
    anything: PathFormula,
}

impl Walk<'_, '_> {
    /// Finds the cut points of a function and the links between them.
    pub fn procedure(&mut self, function: FuncId) -> Result<Procedure, Stopped> {
        let facts = self.encoder.facts();
        let body = &facts.program.functions[function];
        let is_start = facts.program.main == Some(function) && !facts.calls.is_recursive(function);
        let [entry, exit] = [body.entry, body.exit].map(|loc| Location { function, loc });
        let cut = |kind, location| Cut { kind, is_head: false, location, calls: Vec::new() };
        let cuts = vec![cut(CutKind::Entry, entry), cut(CutKind::Exit, exit)];
        let start = if is_start { self.encoder.initial() } else { self.entered(function) };
        let constant = if is_start { Vec::new() } else { self.constant(function, &start) };
        let mut anything = self.encoder.identity(&start);
        anything.env.extend(constant.iter().map(|cell| (*cell, start.env[cell])));
        let procedure = Procedure { function, is_start, constant, cuts, links: Vec::new(), calls: Vec::new() };
        let mut making = Making {
            procedure,
            places: vec![None; 2],
            ids: FxHashMap::from_iter([((ContextId::EMPTY, exit), CutId::EXIT)]),
            todo: Vec::new(),
            anything,
        };
        if self.relevance.contains(function, entry.loc) {
            let place = Place { origin: 0, block: 0, context: ContextId::EMPTY, location: entry };
            self.links(&mut making, CutId::ENTRY, None, place, start)?;
        }
        while let Some(cut) = making.todo.pop() {
            self.links_of(&mut making, cut)?;
        }
        Ok(making.procedure)
    }

    /// The start of a function in any state.
    fn entered(&mut self, function: FuncId) -> PathFormula {
        let facts = self.encoder.facts();
        let at = Location { function, loc: facts.program.functions[function].entry };
        let vars = facts.liveness.at(function, at.loc).iter().map(|var| Cell::Var(var, 0));
        let regions = self.encoder.regions().regions.enumerate().filter(|(_, region)| region.read);
        let cells: Vec<Cell> = vars.chain(regions.map(|(id, _)| Cell::Region(id))).chain([Cell::HeapTop]).collect();
        self.encoder.entered(function, cells)
    }

    /// The words that a function and those that it calls never change.
    fn constant(&mut self, function: FuncId, entered: &PathFormula) -> Vec<Cell> {
        let facts = self.encoder.facts();
        let changed = self.encoder.changed_by(function);
        let body = &facts.program.functions[function];
        let assigned: FxHashSet<VarId> = body.edges().iter().filter_map(|edge| defined(&edge.op)).collect();
        let stays = |cell: &Cell| match *cell {
            Cell::Var(var, _) if facts.program.vars[var].kind.owner().is_some() => {
                body.params.contains(&var) && !assigned.contains(&var)
            }
            cell => !changed.contains(&cell),
        };
        let is_word = |cell: &Cell| matches!(self.encoder.sort(*cell), Sort::Bits(_));
        entered.env.keys().copied().filter(|cell| stays(cell) && is_word(cell)).collect()
    }

    fn links_of(&mut self, making: &mut Making, cut: CutId) -> Result<(), Stopped> {
        let Some(place) = making.places[cut.index()] else { return Ok(()) };
        let anything = making.anything.clone();
        if making.procedure.cuts[cut.index()].kind == CutKind::Call {
            self.calls(making, cut, place, &anything)?;
        }
        self.leave(making, cut, None, place, anything)
    }

    /// The links behind the calls of kept functions at a place.
    fn calls(&mut self, making: &mut Making, at: CutId, place: Place, before: &PathFormula) -> Result<(), Stopped> {
        let facts = self.encoder.facts();
        let Location { function, loc } = place.location;
        for (edge, e) in facts.program.functions[function].out(loc) {
            for &callee in facts.calls.site(function, edge).iter().flat_map(|site| &site.callees) {
                if !self.unroller.keeps(callee) {
                    continue;
                }
                let call = match Call::new(self.encoder, at, before, (function, edge), callee) {
                    Ok(Some(call)) => call,
                    Ok(None) => continue,
                    Err(Stopped::Unsupported(what)) => {
                        self.unmodelled(making, at, None, what, before.clone());
                        continue;
                    }
                    Err(stopped) => return Err(stopped),
                };
                making.procedure.calls.push(call.0);
                let over = Some(making.procedure.calls.len() - 1);
                let location = Location { function, loc: e.dst };
                let behind = Place { location, ..place };
                if self.unroller.is_relevant(behind) {
                    self.links(making, at, over, behind, call.1)?;
                }
            }
        }
        Ok(())
    }

    fn unmodelled(
        &mut self,
        making: &mut Making,
        from: CutId,
        over: Option<usize>,
        what: String,
        formula: PathFormula,
    ) {
        let to = End::Unmodelled(what);
        making.procedure.links.push(Link { from, over, to, formula, node: None, last: None });
    }

    /// The links from a place: one if that is a cut point itself, else those behind it.
    fn links(
        &mut self,
        making: &mut Making,
        from: CutId,
        over: Option<usize>,
        place: Place,
        start: PathFormula,
    ) -> Result<(), Stopped> {
        if self.unroller.is_end(place) || self.unroller.contexts().is_head(place.location) {
            let to = End::Cut(self.cut(making, place));
            making.procedure.links.push(Link { from, over, to, formula: start, node: None, last: None });
            return Ok(());
        }
        self.leave(making, from, over, place, start)
    }

    /// The links behind a place.
    fn leave(
        &mut self,
        making: &mut Making,
        from: CutId,
        over: Option<usize>,
        place: Place,
        start: PathFormula,
    ) -> Result<(), Stopped> {
        let origin = self.origin;
        self.origin += 1;
        self.unroller.start_at(Place { origin, block: 0, ..place }, start);
        let mut found = Found::default();
        self.unroller.run(self.encoder, origin, 0, self.limits, &mut found)?;
        let ends: Vec<(NodeId, Place, PathFormula)> =
            self.unroller.ends_of(origin).map(|(node, place, f)| (node, place, f.clone())).collect();
        for (node, place, formula) in ends {
            let to = End::Cut(self.cut(making, place));
            making.procedure.links.push(Link { from, over, to, formula, node: Some(node), last: None });
        }
        for violation in found.violations {
            let to = End::Violation(violation.step);
            let formula = self.ending(&making.anything, violation.guard);
            let (node, last) = (Some(violation.node), Some(violation.step));
            making.procedure.links.push(Link { from, over, to, formula, node, last });
        }
        for end in found.unmodelled {
            let formula = self.ending(&making.anything, end.guard);
            self.unmodelled(making, from, over, end.what, formula);
        }
        Ok(())
    }

    /// Paths of which only the condition matters.
    fn ending(&mut self, anything: &PathFormula, guard: Term) -> PathFormula {
        self.encoder.assume(anything, guard)
    }

    /// The cut point at a place.
    fn cut(&mut self, making: &mut Making, place: Place) -> CutId {
        let Making { procedure, places, ids, todo, .. } = making;
        *ids.entry((place.context, place.location)).or_insert_with(|| {
            let id = CutId::new(places.len());
            let kind = if self.unroller.is_site(place.location) { CutKind::Call } else { CutKind::Head };
            let calls = self.unroller.contexts().stack(place.context);
            let is_head = self.unroller.contexts().is_head(place.location);
            procedure.cuts.push(Cut { kind, is_head, location: place.location, calls });
            places.push(Some(place));
            todo.push(id);
            id
        })
    }
}
