//! The effect of each step on a formula: how guards, values and memory operations become terms.
//!
//! What dies is dropped: a variable that is not live after a step is removed from the environment. Removing a cell means
//! "the value at the start of the block", which is wrong, but nobody reads it before it is written again: that is what
//! it means not to be live, and each activation of a recursive function has cells of its own. The same holds for all
//! variables of a function that has been left: when it is entered again, parameters take arguments, and locals that may
//! be read before they are written take choices.

use super::expr::Scene;
use super::memory::Content;
use super::{Cell, Encoder, PathFormula, float};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{AllocKind, Builtin, EdgeId, ExprId, FuncId, LocId, Op, VarId};
use robusto_cpa::blocks::Cuts;
use robusto_cpa::control::Location;
use robusto_cpa::{Effect, Frame, Guard, Memory, Step, Value};
use robusto_limits::Stopped;
use robusto_logic::Term;

/// A value to be assigned.
enum Assigned {
    /// A term over the values before the step.
    Term(Term),
    /// A choice, and what is lost by it.
    Choice(Option<&'static str>),
}

impl Encoder<'_> {
    /// The formula with a step added to its paths; `None` if no path can take it.
    pub fn step(&mut self, from: &PathFormula, step: Step) -> Result<Option<PathFormula>, Stopped> {
        let effect = Effect::of(self.facts, step);
        let mut f = from.clone();
        let (at, function) = (step.edge_ref(), function_before(step));
        let mut scene = Scene::new(from, function, step);
        if let Some(condition) = self.guard(&mut scene, effect.guard)? {
            self.restrict(&mut f, condition);
            if self.terms.is_false(f.guard) {
                return Ok(None);
            }
        }
        // Everything is evaluated before anything changes: in a recursive call, parameters and arguments may be the same
        // variables.
        let mut values = Vec::with_capacity(effect.assign.len());
        for &(var, value) in &effect.assign {
            values.push((var, self.assigned(&mut scene, step, var, value)?));
        }
        self.memory(&mut f, &mut scene, at, effect.memory)?;
        for condition in std::mem::take(&mut scene.accesses) {
            self.restrict(&mut f, condition);
        }
        if self.terms.is_false(f.guard) {
            return Ok(None);
        }
        match effect.frame {
            Frame::Same => {}
            Frame::Push(callee) => self.push_activation(&mut f, callee),
            Frame::Pop(callee) => {
                self.end_stack_objects(&mut f, step, callee);
                self.pop_activation(&mut f, from, callee);
            }
        }
        // With the activation that they had: the callee's own variables of that name have another one.
        for &var in &effect.dying {
            f.env.remove(&self.var_cell(from, var));
        }
        for (var, value) in values {
            match value {
                Assigned::Term(value) => {
                    f.env.insert(self.var_cell(&f, var), value);
                }
                Assigned::Choice(lost) => {
                    if let Some(what) = lost {
                        self.approximate(step, what);
                    }
                    self.havoc(&mut f, at, var);
                }
            }
        }
        if let Frame::Push(callee) = effect.frame {
            self.begin_objects(&mut f, at, callee)?;
        }
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

    /// The condition of a step; `None` if it can always be taken.
    fn guard(&mut self, scene: &mut Scene<'_>, guard: Guard) -> Result<Option<Term>, Stopped> {
        Ok(match guard {
            Guard::Always => None,
            Guard::Test { cond, truth } => Some(self.test(scene, cond, truth)?),
            Guard::Paths { function, from: start, to } => Some(self.paths(scene, function, start, to)?),
            Guard::Calls { pointer, callee } => {
                let pointer = self.read(scene, pointer)?;
                let address = self.pointer(self.addresses.function(callee));
                Some(self.terms.eq(pointer, address))
            }
        })
    }

    fn test(&mut self, scene: &mut Scene<'_>, cond: ExprId, truth: bool) -> Result<Term, Stopped> {
        let condition = self.eval(scene, cond)?;
        let mut all = self.loads_take_place(scene, cond)?;
        all.push(if truth { condition } else { self.terms.not(condition) });
        Ok(self.terms.and_all(&all))
    }

    /// The value of an expression, with the conditions under which its loads take place.
    fn read(&mut self, scene: &mut Scene<'_>, root: ExprId) -> Result<Term, Stopped> {
        let value = self.eval(scene, root)?;
        let conditions = self.loads_take_place(scene, root)?;
        scene.accesses.extend(conditions);
        Ok(value)
    }

    /// An address that is accessed, and how many bytes.
    fn accessed(&mut self, scene: &mut Scene<'_>, pointer: ExprId, size: Term) -> Result<Term, Stopped> {
        let address = self.read(scene, pointer)?;
        let condition = self.takes_place(pointer, address, size)?;
        scene.accesses.extend(condition);
        Ok(address)
    }

    /// The disjunction over the paths of a block of tests from its start to an exit.
    fn paths(&mut self, scene: &mut Scene<'_>, function: FuncId, start: LocId, to: LocId) -> Result<Term, Stopped> {
        let program = &self.facts.program;
        let blocks = self.blocks.get_or_insert_with(|| robusto_cpa::blocks::find(program));
        let block = blocks[function][start].clone().expect("a block step starts at a block");
        let yes = self.terms.yes();
        let exits = block.follow(&program.functions[function], yes, &mut Tests { encoder: self, scene })?;
        Ok(exits.into_iter().find(|&(exit, _)| exit == to).map_or(self.terms.no(), |(_, condition)| condition))
    }

    /// What a variable takes.
    fn assigned(
        &mut self,
        scene: &mut Scene<'_>,
        step: Step,
        var: VarId,
        value: Value<'_>,
    ) -> Result<Assigned, Stopped> {
        Ok(match value {
            Value::Expr(e) => Assigned::Term(self.read(scene, e)?),
            Value::Any => Assigned::Choice(None),
            Value::Mismatched => Assigned::Choice(Some(match step {
                Step::Leave { .. } => "the result of a function of another type",
                _ => "an argument of another type than the parameter",
            })),
            Value::Allocated => {
                let Op::Alloc { size, .. } = step.edge(&self.facts.program).op else {
                    unreachable!("only allocations give new addresses")
                };
                let size = self.eval(scene, size)?;
                Assigned::Term(self.allocated(scene.formula(), step.edge_ref(), size))
            }
            Value::Library(builtin, args)
                if self.facts.program.vars[var].ty.is_float()
                    && args.iter().all(|&arg| self.facts.program.exprs.ty(arg) == self.facts.program.vars[var].ty) =>
            {
                let args = args.iter().map(|&arg| self.read(scene, arg)).collect::<Result<Vec<Term>, Stopped>>()?;
                match float::library(&mut self.terms, builtin, &args) {
                    Some(value) => Assigned::Term(value),
                    None => Assigned::Choice(Some("the result of a library function")),
                }
            }
            Value::Library(Builtin::ObjectSize, &[pointer]) => {
                let address = self.read(scene, pointer)?;
                match self.object_size(scene.formula(), pointer, address) {
                    Some(size) => Assigned::Term(size),
                    None => Assigned::Choice(Some("the size of an object")),
                }
            }
            Value::Library(..) => Assigned::Choice(Some("the result of a library function")),
        })
    }

    fn memory(
        &mut self,
        f: &mut PathFormula,
        scene: &mut Scene<'_>,
        at: (FuncId, EdgeId),
        memory: Memory<'_>,
    ) -> Result<(), Stopped> {
        let (function, edge) = at;
        let step = Step::Edge(function, edge);
        match memory {
            Memory::Keep => {}
            Memory::Free { ptr, kind } => {
                let address = self.read(scene, ptr)?;
                let (null, one) = (self.pointer(0), self.pointer(1));
                if kind != AllocKind::Library
                    && let Some(valid) = self.takes_place(ptr, address, one)?
                {
                    let nothing = self.terms.eq(address, null);
                    scene.accesses.push(self.terms.or(nothing, valid));
                }
                self.free(f, ptr, address, kind);
            }
            Memory::Store { addr, value } => {
                let program = &self.facts.program;
                let size = program.exprs.ty(value).size(program.model);
                let region = self.regions.of_access(addr, size);
                let bytes = self.pointer(size);
                let (addr, value) = (self.accessed(scene, addr, bytes)?, self.read(scene, value)?);
                let value = self.terms.zext(value, 8 * size as u16);
                self.store(f, region, addr, size, value)?;
            }
            Memory::Copy { dst, src, size } => {
                let plan = self.regions.of_copy(function, edge).clone();
                let size = self.read(scene, size)?;
                let (dst, src) = (self.accessed(scene, dst, size)?, self.accessed(scene, src, size)?);
                self.copy(f, &plan, dst, src, size)?;
            }
            Memory::Fill { dst, byte, size } => {
                let byte = self.read(scene, byte)?;
                self.write_range(f, scene, at, (dst, size), Content::Byte(byte))?;
            }
            Memory::Havoc { addr, size } => {
                self.write_range(f, scene, at, (addr, size), Content::Choice(function, edge))?;
            }
            Memory::Library(..) => {
                let parts = self.regions.of_range(function, edge).to_vec();
                if parts.iter().any(|p| self.regions.regions[p.region].read) {
                    self.approximate(step, "memory that a library function writes");
                    self.havoc_regions(f, &parts, at);
                }
            }
            Memory::Alloc { size, kind, zeroed } => {
                let size = self.read(scene, size)?;
                self.allocate(f, at, size, (kind, zeroed))?;
            }
        }
        Ok(())
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
        let size = self.read(scene, size)?;
        let addr = self.accessed(scene, addr, size)?;
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

    /// A call begins: a function whose calls are counted has one more activation.
    fn push_activation(&mut self, f: &mut PathFormula, callee: FuncId) {
        if self.counts_calls(callee) {
            let count = f.activations.get(&callee).copied().unwrap_or(0);
            f.activations.insert(callee, count + 1);
        }
    }

    /// A call ends: the variables of the activation are gone.
    fn pop_activation(&mut self, f: &mut PathFormula, from: &PathFormula, callee: FuncId) {
        let body = &self.facts.program.functions[callee];
        for &var in body.params.iter().chain(&body.locals) {
            f.env.remove(&self.var_cell(from, var));
        }
        if let Some(&count) = f.activations.get(&callee) {
            match count {
                0 | 1 => f.activations.remove(&callee),
                _ => f.activations.insert(callee, count - 1),
            };
        }
    }

    /// The objects of a function that has been entered hold arbitrary bytes.
    fn begin_objects(&mut self, f: &mut PathFormula, at: (FuncId, EdgeId), callee: FuncId) -> Result<(), Stopped> {
        let activation = self.activation(f, callee);
        for object in self.fresh_objects(callee) {
            let address = self.address(object, activation)?;
            let size = self.pointer(self.facts.program.objects[object].size);
            for part in self.regions.of_base(Base::Object(object)).to_vec() {
                self.write_part(f, &part, address, size, Content::Choice(at.0, at.1))?;
            }
        }
        Ok(())
    }
}

/// The function whose frame is on top before a step.
fn function_before(step: Step) -> FuncId {
    match step {
        Step::Edge(function, _) | Step::Block { function, .. } => function,
        Step::Enter { caller, .. } => caller,
        Step::Leave { callee, .. } => callee,
    }
}

/// The tests of a block as terms.
struct Tests<'e, 'f, 's, 'a> {
    encoder: &'e mut Encoder<'f>,
    scene: &'s mut Scene<'a>,
}

impl Cuts for Tests<'_, '_, '_, '_> {
    type Set = Term;
    type Error = Stopped;

    fn cut(&mut self, set: &Term, _: EdgeId, cond: ExprId, truth: bool) -> Result<Term, Stopped> {
        let condition = self.encoder.test(self.scene, cond, truth)?;
        Ok(self.encoder.terms.and(*set, condition))
    }

    fn unite(&mut self, a: &Term, b: &Term) -> Result<Term, Stopped> {
        Ok(self.encoder.terms.or(*a, *b))
    }
}
