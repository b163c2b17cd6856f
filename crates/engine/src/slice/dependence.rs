//! What the targets depend on: a backward closure over data and control dependence, through calls and memory.
//!
//! Weiser: *Program slicing*, ICSE 1981; Horwitz, Reps, Binkley: *Interprocedural slicing using dependence graphs*, TOPLAS 1990.
//! Variables and regions of memory are not told apart by place: once needed, all that writes them is kept. Callers are not told
//! apart either: a function with something that is kept is entered by all of its calls.
//!
//! | rule | needed | makes needed |
//! |---|---|---|
//! | target | a target | its edge |
//! | control | an edge | the branches that its location depends on; its function |
//! | function | a function | each call of it |
//! | data | a variable, a region | the edges that write it; of a parameter, the arguments; of a result, what is returned |
//! | use | an edge | what it reads |
//! | halting | a branch of which a side never comes back, if it speaks of something that is needed | the branch |
//!
//! The last rule is for precision alone (see the module): `if (x < 0) abort();` matters to a target that depends on `x`, and not to one
//! that does not. A condition on a parameter or a temporary counts as one on what that is computed from, so that `assume(x > 0)` is
//! seen in a function of the user's, too.

use super::cells::{Access, Cell};
use super::control::{Control, Passage, Reach};
use robusto_analyses::symbolic::RegionId;
use robusto_cfa::analysis::uses::{defined, for_each_root};
use robusto_cfa::ir::{Callee, EdgeId, ExprId, FuncId, Idx as _, IdxVec, LocId, Op, VarId, VarKind};

/// What is needed.
pub(super) struct Needed {
    pub vars: IdxVec<VarId, bool>,
    pub regions: IdxVec<RegionId, bool>,
    /// Edges that stay.
    pub edges: IdxVec<FuncId, IdxVec<EdgeId, bool>>,
    /// Whether all allocations stay.
    pub allocations: bool,
    /// Functions that are entered.
    pub functions: IdxVec<FuncId, bool>,
    /// Control dependence of the functions that may run.
    pub control: IdxVec<FuncId, Option<Control>>,
}

/// An edge of a function.
type At = (FuncId, EdgeId);

/// The closure.
pub(super) struct Dependence<'f> {
    access: Access<'f>,
    needed: Needed,
    /// The edges that write a variable, and those that write a region.
    of_var: IdxVec<VarId, Vec<At>>,
    of_region: IdxVec<RegionId, Vec<At>>,
    /// The calls of a function.
    calls: IdxVec<FuncId, Vec<At>>,
    /// Branches of which a side never comes back, and conditions that admit one side only.
    halting: Vec<(FuncId, LocId)>,
    todo: Vec<At>,
}

impl<'f> Dependence<'f> {
    /// Prepares; nothing is needed yet.
    pub fn new(access: Access<'f>) -> Self {
        let facts = access.facts;
        let program = &facts.program;
        let reach = reach(&access);
        let may_run = |f: FuncId| facts.points_to.reached(f) && facts.calls.is_reachable(f);
        let control: IdxVec<FuncId, Option<Control>> = program
            .functions
            .enumerate()
            .map(|(id, function)| {
                may_run(id).then(|| Control::of(function, |_, edge| passage(&access, &reach, id, EdgeId::new(edge))))
            })
            .collect();
        let mut of_var = IdxVec::filled(Vec::new(), program.vars.len());
        let mut of_region = IdxVec::filled(Vec::new(), access.regions.regions.len());
        let mut calls = IdxVec::filled(Vec::new(), program.functions.len());
        let mut halting = Vec::new();
        for (id, function) in program.functions.enumerate() {
            let Some(control) = &control[id] else { continue };
            for (number, edge) in function.edges().enumerate().filter(|(_, edge)| control.is_live(edge.src)) {
                defined(&edge.op).into_iter().for_each(|var: VarId| of_var[var].push((id, number)));
                for region in access.written(id, number, &edge.op) {
                    of_region[region].push((id, number));
                }
                if let Some(site) = facts.calls.site(id, number) {
                    site.callees.iter().for_each(|&callee| calls[callee].push((id, number)));
                }
                if matches!(edge.op, Op::Assume { truth, .. } if truth || function.out(edge.src).len() == 1) {
                    let out = function.out(edge.src);
                    if out.len() == 1 || out.into_iter().any(|(_, e)| !control.is_live(e.dst)) {
                        halting.push((id, edge.src));
                    }
                }
            }
        }
        let needed = Needed {
            vars: IdxVec::filled(false, program.vars.len()),
            regions: IdxVec::filled(false, access.regions.regions.len()),
            edges: program.functions.iter().map(|f| IdxVec::filled(false, f.edges().len())).collect(),
            allocations: false,
            functions: IdxVec::filled(false, program.functions.len()),
            control,
        };
        Self { access, needed, of_var, of_region, calls, halting, todo: Vec::new() }
    }

    /// What the targets depend on, and, if these count as well, all allocations.
    pub fn close(mut self, allocations: bool) -> Needed {
        let program = &self.access.facts.program;
        self.needed.allocations = allocations;
        let criterion = |op: &Op| match op {
            Op::Error(_) | Op::Unsupported(_) => true,
            Op::Alloc { .. } => allocations,
            _ => false,
        };
        for (id, function) in program.functions.enumerate() {
            for (number, edge) in function.edges().enumerate() {
                if criterion(&edge.op) {
                    self.keep((id, number));
                }
            }
        }
        loop {
            while let Some(at) = self.todo.pop() {
                self.follow(at);
            }
            if !self.keep_halting() {
                break;
            }
        }
        self.needed
    }

    /// An edge stays, if it can be on a way to a target.
    fn keep(&mut self, (function, edge): At) {
        let src = self.access.facts.program.functions[function].edge(edge).src;
        let live = self.needed.control[function].as_ref().is_some_and(|control| control.is_live(src));
        if live && !std::mem::replace(&mut self.needed.edges[function][edge], true) {
            self.todo.push((function, edge));
        }
    }

    /// Everything that leaves a location stays: both sides of a branch, or a call that may not come back.
    fn keep_all(&mut self, function: FuncId, loc: LocId) {
        let edges: Vec<EdgeId> = self.access.facts.program.functions[function].out(loc).map(|(id, _)| id).collect();
        edges.into_iter().for_each(|edge| self.keep((function, edge)));
    }

    /// What an edge that stays depends on.
    fn follow(&mut self, (function, number): At) {
        let facts = self.access.facts;
        let edge = facts.program.functions[function].edge(number);
        if !std::mem::replace(&mut self.needed.functions[function], true) {
            let calls = std::mem::take(&mut self.calls[function]);
            calls.iter().for_each(|&call| self.keep(call));
            self.calls[function] = calls;
        }
        let control = self.needed.control[function].as_ref().expect("what stays may run");
        for branch in control.depends(edge.src).to_vec() {
            self.keep_all(function, branch);
        }
        match &edge.op {
            Op::Call { callee, args, .. } => {
                if let Callee::Indirect(pointer, _) = callee {
                    self.read(*pointer);
                }
                let site = facts.calls.site(function, number).expect("the call graph has every call");
                for &callee in &site.callees {
                    let params = facts.program.functions[callee].params.iter().zip(args);
                    let used: Vec<ExprId> =
                        params.filter(|(param, _)| self.needed.vars[**param]).map(|(_, &arg)| arg).collect();
                    used.into_iter().for_each(|arg| self.read(arg));
                }
            }
            Op::Assume { .. } => {
                for_each_root(&edge.op, |root| self.read(root));
                self.keep_all(function, edge.src);
            }
            &Op::Store { addr, value } => {
                let size = facts.program.exprs.ty(value).size(facts.program.model);
                if !self.access.lifted.has(self.access.regions.of_access(addr, size)) {
                    self.read(addr);
                }
                self.read(value);
            }
            op => {
                for_each_root(op, |root| self.read(root));
                if let Op::Builtin { args, .. } = op {
                    self.access.given(args).into_iter().for_each(|region| self.need(Cell::Region(region)));
                }
            }
        }
    }

    fn read(&mut self, root: ExprId) {
        let mut found = Vec::new();
        self.access.for_each_read(root, |cell| found.push(cell));
        found.into_iter().for_each(|cell| self.need(cell));
    }

    /// The value of a cell matters.
    fn need(&mut self, cell: Cell) {
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            match cell {
                Cell::Var(var) if !std::mem::replace(&mut self.needed.vars[var], true) => self.need_var(var, &mut todo),
                Cell::Region(region) if !std::mem::replace(&mut self.needed.regions[region], true) => {
                    for at in std::mem::take(&mut self.of_region[region]) {
                        self.keep(at);
                        let op = &self.access.facts.program.functions[at.0].edge(at.1).op;
                        if matches!(op, Op::Copy { .. }) {
                            todo.extend(self.access.copied(at.0, at.1, region).into_iter().map(Cell::Region));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn need_var(&mut self, var: VarId, todo: &mut Vec<Cell>) {
        let facts = self.access.facts;
        for at in std::mem::take(&mut self.of_var[var]) {
            self.keep(at);
            if let Some(site) = facts.calls.site(at.0, at.1) {
                todo.extend(site.callees.iter().filter_map(|&callee| facts.results[callee]).map(Cell::Var));
            }
        }
        if let VarKind::Param(owner) = facts.program.vars[var].kind {
            let position = facts.program.functions[owner].params.iter().position(|&param| param == var);
            for &(caller, edge) in &self.calls[owner] {
                let Op::Call { args, .. } = &facts.program.functions[caller].edge(edge).op else { continue };
                if let Some(&arg) = position.and_then(|position| args.get(position)) {
                    self.access.for_each_read(arg, |cell| todo.push(cell));
                }
            }
        }
    }

    /// Keeps the halting branches that speak of something that is needed; whether there are new ones.
    fn keep_halting(&mut self) -> bool {
        let related = self.related();
        let facts = self.access.facts;
        let (regions, functions) = (&self.needed.regions, &facts.program.functions);
        let speaks = |&(function, loc): &(FuncId, LocId)| {
            let mut found = false;
            for (_, edge) in functions[function].out(loc) {
                for_each_root(&edge.op, |root| {
                    self.access.for_each_read(root, |cell| {
                        found |= match cell {
                            Cell::Var(var) => related[var],
                            Cell::Region(region) => regions[region],
                        };
                    });
                });
            }
            found
        };
        let (now, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.halting).into_iter().partition(speaks);
        self.halting = later;
        let any = !now.is_empty();
        now.into_iter().for_each(|(function, loc)| self.keep_all(function, loc));
        any
    }

    /// The variables that are needed, and the parameters and temporaries that are computed from such.
    fn related(&self) -> IdxVec<VarId, bool> {
        let facts = self.access.facts;
        let program = &facts.program;
        let mut related = self.needed.vars.clone();
        let speaks = |related: &IdxVec<VarId, bool>, root: ExprId| {
            let mut found = false;
            self.access.for_each_read(root, |cell| {
                found |= match cell {
                    Cell::Var(var) => related[var],
                    Cell::Region(region) => self.needed.regions[region],
                };
            });
            found
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (id, function) in program.functions.enumerate() {
                let Some(control) = &self.needed.control[id] else { continue };
                for (number, edge) in function.edges().enumerate().filter(|(_, edge)| control.is_live(edge.src)) {
                    match &edge.op {
                        Op::Assign { var, value }
                            if !related[*var]
                                && matches!(program.vars[*var].kind, VarKind::Temp(_))
                                && speaks(&related, *value) =>
                        {
                            related[*var] = true;
                            changed = true;
                        }
                        Op::Call { args, .. } => {
                            let site = facts.calls.site(id, number).expect("the call graph has every call");
                            for &callee in &site.callees {
                                for (&param, &arg) in program.functions[callee].params.iter().zip(args) {
                                    if !related[param] && speaks(&related, arg) {
                                        related[param] = true;
                                        changed = true;
                                    }
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        related
    }
}

/// What an edge is for control.
fn passage(access: &Access<'_>, reach: &Reach, function: FuncId, edge: EdgeId) -> Passage {
    let facts = access.facts;
    match &facts.program.functions[function].edge(edge).op {
        Op::Error(_) | Op::Unsupported(_) => Passage { passes: false, is_sink: true },
        Op::Halt { .. } => Passage { passes: false, is_sink: false },
        Op::Call { .. } => {
            let site = facts.calls.site(function, edge).expect("the call graph has every call");
            Passage {
                passes: site.unknown || site.callees.iter().any(|&callee| reach.returns[callee]),
                is_sink: site.callees.iter().any(|&callee| reach.targets[callee]),
            }
        }
        _ => Passage { passes: true, is_sink: false },
    }
}

/// Which functions return, and which may come to a target: least fixpoints.
fn reach(access: &Access<'_>) -> Reach {
    let facts = access.facts;
    let program = &facts.program;
    let count = program.functions.len();
    let mut reach = Reach { returns: IdxVec::filled(false, count), targets: IdxVec::filled(false, count) };
    let mut changed = true;
    while changed {
        changed = false;
        for &id in facts.calls.bottom_up() {
            if reach.returns[id] && reach.targets[id] {
                continue;
            }
            let function = &program.functions[id];
            let mut seen = IdxVec::filled(false, function.num_locs());
            let mut todo = vec![function.entry];
            seen[function.entry] = true;
            let mut targets = reach.targets[id];
            while let Some(loc) = todo.pop() {
                for (edge, e) in function.out(loc) {
                    let Passage { passes, is_sink } = passage(access, &reach, id, edge);
                    targets |= is_sink;
                    if passes && !std::mem::replace(&mut seen[e.dst], true) {
                        todo.push(e.dst);
                    }
                }
            }
            changed |= seen[function.exit] != reach.returns[id] || targets != reach.targets[id];
            (reach.returns[id], reach.targets[id]) = (seen[function.exit], targets);
        }
    }
    reach
}
