//! The effect of each step on a formula.
//!
//! What dies is dropped: a variable that is not live after a step is removed from the environment. Removing a cell means
//! "the value at the start of the block", which is wrong, but nobody reads it before it is written again: that is what
//! it means not to be live, and each activation of a recursive function has cells of its own. The same holds for all
//! variables of a function that has been left: when it is entered again, parameters take arguments, and locals that may
//! be read before they are written take choices.

use super::expr::Scene;
use super::memory::Content;
use super::{Cell, Encoder, PathFormula, RegionId, float};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{Builtin, Callee, EdgeId, ExprId, FuncId, LocId, Op, VarId, VarKind};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_limits::Stopped;
use robusto_logic::{Sort, Term};
use rustc_hash::FxHashMap;

/// Bytes between heap objects, and their alignment.
const RED_ZONE: u64 = 16;

impl Encoder<'_> {
    /// The formula with a step added to its paths; `None` if no path can take it.
    pub fn step(&mut self, from: &PathFormula, step: Step) -> Result<Option<PathFormula>, Stopped> {
        let mut f = from.clone();
        match step {
            Step::Edge(function, edge) => self.edge(&mut f, from, function, edge)?,
            Step::Block { function, from: start, to, .. } => {
                let condition = self.block_condition(from, step, function, start, to)?;
                self.restrict(&mut f, condition);
            }
            Step::Enter { caller, callee, .. } => self.enter(&mut f, from, step, caller, callee)?,
            Step::Leave { callee, caller, .. } => self.leave(&mut f, from, step, callee, caller),
        }
        if self.terms.is_false(f.guard) {
            return Ok(None);
        }
        self.forget(&mut f, from, step);
        Ok(Some(f))
    }

    /// The symbol of the value that a step chooses when it is taken from a formula, if it is the `Havoc` of a variable.
    pub fn choice(&mut self, from: &PathFormula, step: Step) -> Option<Term> {
        let Step::Edge(function, edge) = step else { return None };
        let Op::Havoc { var, .. } = step.edge(&self.facts.program).op else { return None };
        let sort = self.sort(Cell::Var(var, 0));
        Some(self.choice_symbol((function, edge), from.choices, sort))
    }

    /// Whether a cell may still be read when control is at a location. If not, formulas may have dropped its value, and
    /// nothing should be said about it there. Variables of pending callers count as read.
    pub fn may_be_read(&self, at: Location, cell: Cell) -> bool {
        let Cell::Var(var, _) = cell else { return true };
        let foreign = self.facts.program.vars[var].kind.owner().is_some_and(|owner| owner != at.function);
        let returned =
            at.loc == self.facts.program.functions[at.function].exit && self.facts.results[at.function] == Some(var);
        foreign || returned || self.facts.liveness.at(at.function, at.loc).contains(var)
    }

    fn is_live(&self, function: FuncId, loc: LocId, var: VarId) -> bool {
        self.facts.results[function] == Some(var) || self.facts.liveness.at(function, loc).contains(var)
    }

    fn edge(
        &mut self,
        f: &mut PathFormula,
        from: &PathFormula,
        function: FuncId,
        edge_id: EdgeId,
    ) -> Result<(), Stopped> {
        let facts = self.facts;
        let program = &facts.program;
        let (step, at) = (Step::Edge(function, edge_id), (function, edge_id));
        let edge = program.functions[function].edge(edge_id);
        let mut scene = Scene::new(from, function, step);
        match edge.op {
            Op::Skip | Op::Free { .. } | Op::Return { .. } | Op::Error(_) | Op::Unsupported(_) | Op::Halt { .. } => {}
            Op::Assume { cond, truth } => {
                let condition = self.eval(&mut scene, cond)?;
                let condition = if truth { condition } else { self.terms.not(condition) };
                self.restrict(f, condition);
            }
            Op::Assign { var, value } => {
                if self.is_live(function, edge.dst, var) {
                    let value = self.eval(&mut scene, value)?;
                    f.env.insert(self.var_cell(from, var), value);
                }
            }
            Op::Store { addr, value } => {
                let size = program.exprs.ty(value).size(program.model);
                let region = self.regions.of_access(addr, size);
                self.note_outside(step, &[region]);
                let (addr, value) = (self.eval(&mut scene, addr)?, self.eval(&mut scene, value)?);
                let value = self.terms.zext(value, 8 * size as u16);
                self.store(f, region, addr, size, value)?;
            }
            Op::Copy { dst, src, size } => {
                let plan = self.regions.of_copy(function, edge_id).clone();
                self.note_outside(step, &plan.regions());
                let (dst, src) = (self.eval(&mut scene, dst)?, self.eval(&mut scene, src)?);
                let size = self.eval(&mut scene, size)?;
                self.copy(f, &plan, dst, src, size)?;
            }
            Op::Fill { dst, byte, size } => {
                let byte = self.eval(&mut scene, byte)?;
                self.write_range(f, &mut scene, at, (dst, size), Content::Byte(byte))?;
            }
            Op::HavocMem { addr, size, .. } => {
                self.write_range(f, &mut scene, at, (addr, size), Content::Choice(function, edge_id))?;
            }
            Op::Havoc { var, .. } => {
                if self.is_live(function, edge.dst, var) {
                    self.havoc(f, at, var);
                }
            }
            Op::Builtin { result, builtin, ref args } => {
                let parts = self.regions.of_range(function, edge_id).to_vec();
                if parts.iter().any(|p| self.regions.regions[p.region].read) {
                    self.approximate(step, "memory that a library function writes");
                    self.havoc_regions(f, &parts, at);
                }
                if let Some(var) = result.filter(|&var| self.is_live(function, edge.dst, var)) {
                    self.builtin(f, &mut scene, at, var, builtin, args)?;
                }
            }
            Op::Alloc { var, size, zeroed, .. } => {
                let size = self.eval(&mut scene, size)?;
                self.allocate(f, at, var, size, zeroed)?;
            }
            Op::Call { .. } => unreachable!("calls are entered and left"),
        }
        Ok(())
    }

    fn note_outside(&mut self, step: Step, regions: &[RegionId]) {
        if regions.iter().any(|&region| self.regions.regions[region].outside) {
            self.approximate(step, "memory outside of the program's objects");
        }
    }

    fn write_range(
        &mut self,
        f: &mut PathFormula,
        scene: &mut Scene<'_>,
        (function, edge): (FuncId, EdgeId),
        (addr, size): (ExprId, ExprId),
        content: Content,
    ) -> Result<(), Stopped> {
        let parts = self.regions.of_range(function, edge).to_vec();
        let regions: Vec<RegionId> = parts.iter().map(|p| p.region).collect();
        self.note_outside(Step::Edge(function, edge), &regions);
        let (addr, size) = (self.eval(scene, addr)?, self.eval(scene, size)?);
        for part in &parts {
            self.write_part(f, part, addr, size, content)?;
        }
        Ok(())
    }

    /// A variable of the youngest activation takes any value.
    fn havoc(&mut self, f: &mut PathFormula, at: (FuncId, EdgeId), var: VarId) {
        let cell = self.var_cell(f, var);
        let sort = self.sort(cell);
        let value = self.choose(f, at, sort);
        f.env.insert(cell, value);
    }

    fn builtin(
        &mut self,
        f: &mut PathFormula,
        scene: &mut Scene<'_>,
        at: (FuncId, EdgeId),
        var: VarId,
        builtin: Builtin,
        args: &[ExprId],
    ) -> Result<(), Stopped> {
        let cell = self.var_cell(f, var);
        if let (Builtin::Fabs | Builtin::Fabsf, &[arg]) = (builtin, args) {
            let arg = self.eval(scene, arg)?;
            if Sort::Bits(self.terms.width(arg)) == self.sort(cell) {
                let value = float::absolute(&mut self.terms, arg);
                f.env.insert(cell, value);
                return Ok(());
            }
        }
        self.approximate(Step::Edge(at.0, at.1), "the result of a library function");
        self.havoc(f, at, var);
        Ok(())
    }

    /// The heap grows. Memory above its top has never been accessed, so its content is arbitrary as it is.
    fn allocate(
        &mut self,
        f: &mut PathFormula,
        (function, edge): (FuncId, EdgeId),
        var: VarId,
        size: Term,
        zeroed: bool,
    ) -> Result<(), Stopped> {
        let top = self.value(f, Cell::HeapTop);
        // The address space is not exhausted.
        let last = self.pointer(self.addresses.heap().end - 4 * RED_ZONE);
        let below = self.terms.ule(top, last);
        self.restrict(f, below);
        let room = self.terms.sub(last, top);
        let fits = self.terms.ule(size, room);
        self.restrict(f, fits);
        // The top is a multiple of the red zone.
        let (more, mask) = (self.pointer(2 * RED_ZONE - 1), self.pointer(!(RED_ZONE - 1)));
        let sum = self.terms.add(size, more);
        let grown = self.terms.and(sum, mask);
        let next = self.terms.add(top, grown);
        f.env.insert(Cell::HeapTop, next);
        if zeroed {
            let byte = self.terms.constant(8, 0);
            let site = self.facts.points_to.site_at(function, edge);
            for part in self.regions.of_base(Base::Site(site)).to_vec() {
                self.write_part(f, &part, top, size, Content::Byte(byte))?;
            }
        }
        f.env.insert(self.var_cell(f, var), top);
        Ok(())
    }

    fn enter(
        &mut self,
        f: &mut PathFormula,
        from: &PathFormula,
        step: Step,
        caller: FuncId,
        callee: FuncId,
    ) -> Result<(), Stopped> {
        let facts = self.facts;
        let program = &facts.program;
        let at = step.edge_ref();
        let Op::Call { ref args, callee: called, .. } = step.edge(program).op else {
            unreachable!("calls are entered through call edges")
        };
        let mut scene = Scene::new(from, caller, step);
        if let Callee::Indirect(pointer) = called {
            let pointer = self.eval(&mut scene, pointer)?;
            let address = self.pointer(self.addresses.function(callee));
            let hit = self.terms.eq(pointer, address);
            self.restrict(f, hit);
            if self.terms.is_false(f.guard) {
                return Ok(());
            }
        }
        let body = &program.functions[callee];
        let live = facts.liveness.at(callee, body.entry);
        // Arguments are evaluated before any parameter changes: in a recursive call they may be the same variables.
        let mut values = Vec::new();
        for (i, &param) in body.params.iter().enumerate().filter(|(_, p)| live.contains(**p)) {
            let value = match args.get(i) {
                Some(&arg) if program.exprs.ty(arg) == program.vars[param].ty => Some(self.eval(&mut scene, arg)?),
                // Only a call through a pointer of another type does that, which is undefined.
                _ => None,
            };
            values.push((param, value));
        }
        if facts.calls.is_recursive(callee) {
            let count = f.activations.get(&callee).copied().unwrap_or(0);
            f.activations.insert(callee, count + 1);
        }
        for (param, value) in values {
            match value {
                Some(value) => {
                    f.env.insert(self.var_cell(f, param), value);
                }
                None => {
                    self.approximate(step, "an argument of another type than the parameter");
                    self.havoc(f, at, param);
                }
            }
        }
        for &local in body.locals.iter().filter(|&&local| live.contains(local)) {
            self.havoc(f, at, local);
        }
        let activation = self.activation(f, callee);
        for object in self.fresh_objects(callee) {
            let address = self.address(object, activation)?;
            let size = self.pointer(program.objects[object].size);
            for part in self.regions.of_base(Base::Object(object)).to_vec() {
                self.write_part(f, &part, address, size, Content::Choice(at.0, at.1))?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, f: &mut PathFormula, from: &PathFormula, step: Step, callee: FuncId, caller: FuncId) {
        let facts = self.facts;
        let program = &facts.program;
        let edge = step.edge(program);
        let Op::Call { result, .. } = edge.op else { unreachable!("calls are left through call edges") };
        let value = facts.results[callee].map(|var| {
            let cell = self.var_cell(from, var);
            (var, self.value(from, cell))
        });
        let body = &program.functions[callee];
        for &var in body.params.iter().chain(&body.locals) {
            f.env.remove(&self.var_cell(from, var));
        }
        if let Some(&count) = f.activations.get(&callee) {
            match count {
                0 | 1 => f.activations.remove(&callee),
                _ => f.activations.insert(callee, count - 1),
            };
        }
        let Some(result) = result.filter(|&var| self.is_live(caller, edge.dst, var)) else { return };
        match value {
            Some((var, value)) if program.vars[var].ty == program.vars[result].ty => {
                f.env.insert(self.var_cell(f, result), value);
            }
            _ => {
                self.approximate(step, "the result of a function of another type");
                self.havoc(f, step.edge_ref(), result);
            }
        }
    }

    /// Drops the variables that are not live after a step.
    fn forget(&mut self, f: &mut PathFormula, from: &PathFormula, step: Step) {
        let facts = self.facts;
        let program = &facts.program;
        match step {
            Step::Edge(function, edge) => {
                for var in facts.liveness.dying(function, program.functions[function].edge(edge)) {
                    // The caller still takes the returned value.
                    if facts.results[function] != Some(var) {
                        f.env.remove(&self.var_cell(from, var));
                    }
                }
            }
            Step::Block { function, from: start, to, .. } => {
                for var in facts.liveness.at(function, start).difference(facts.liveness.at(function, to)).iter() {
                    f.env.remove(&self.var_cell(from, var));
                }
            }
            Step::Enter { caller, edge, .. } => {
                let edge = program.functions[caller].edge(edge);
                let after = facts.liveness.at(caller, edge.dst);
                for var in facts.liveness.at(caller, edge.src).iter().filter(|&v| !after.contains(v)) {
                    // With the activation that it had: the callee's own variables of that name have another one.
                    if program.vars[var].kind.owner() == Some(caller) {
                        f.env.remove(&self.var_cell(from, var));
                    }
                }
            }
            Step::Leave { callee, caller, edge } => {
                let after = facts.liveness.at(caller, program.functions[caller].edge(edge).dst);
                let exit = facts.liveness.at(callee, program.functions[callee].exit);
                for var in exit.iter().filter(|&v| !after.contains(v)) {
                    if matches!(program.vars[var].kind, VarKind::Global(_)) {
                        f.env.remove(&Cell::Var(var, 0));
                    }
                }
            }
        }
    }

    /// The disjunction over the paths of a block of tests from its start to an exit.
    fn block_condition(
        &mut self,
        f: &PathFormula,
        step: Step,
        function: FuncId,
        start: LocId,
        to: LocId,
    ) -> Result<Term, Stopped> {
        let program = &self.facts.program;
        let blocks = self.blocks.get_or_insert_with(|| robusto_cpa::blocks::find(program));
        let block = blocks[function][start].clone().expect("a block step starts at a block");
        let mut scene = Scene::new(f, function, step);
        let mut reach: FxHashMap<LocId, Term> = FxHashMap::default();
        reach.insert(start, self.terms.yes());
        for &member in &block.members {
            let here = reach.get(&member).copied().unwrap_or(self.terms.no());
            for (_, edge) in program.functions[function].out(member) {
                let Op::Assume { cond, truth } = edge.op else { unreachable!("blocks hold tests") };
                let condition = self.eval(&mut scene, cond)?;
                let condition = if truth { condition } else { self.terms.not(condition) };
                let through = self.terms.and(here, condition);
                let known = reach.get(&edge.dst).copied().unwrap_or(self.terms.no());
                let either = self.terms.or(known, through);
                reach.insert(edge.dst, either);
            }
        }
        Ok(reach.get(&to).copied().unwrap_or(self.terms.no()))
    }
}
