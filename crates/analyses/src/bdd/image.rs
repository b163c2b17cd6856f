//! Steps as transitions of sets: images for the analysis, preimages for counterexamples.

use super::encoding::{Code, Meaning};
use super::values::Support;
use super::{Approximation, Bdd, full};
use robusto_cfa::ir::{Callee, CastOp, Expr, ExprId, FuncId, LocId, Op, Ty, VarId, VarKind};
use robusto_cpa::Step;
use robusto_diagram::{Bdd as Node, Renaming, VarIndex};
use robusto_limits::Stopped;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A step, ready to be applied to sets. After it, the variables in `forget` (a cube) are quantified away.
pub struct Transition {
    kind: Kind,
    forget: Option<Node>,
}

impl Transition {
    /// Whether it changes variables.
    pub(super) fn is_assignment(&self) -> bool {
        matches!(self.kind, Kind::Assign { .. })
    }
}

enum Kind {
    /// Changes no tracked variable.
    Identity,
    /// 𝔹 ∧ condition
    Assume(Node),
    /// Several variables take values at once.
    Assign {
        /// Cube of the variables' bits.
        target: Node,
        /// The relation between old values and the new ones. The new ones are in the variables' own bits, or, if a
        /// renaming is given, in their scratch bits.
        relation: Node,
        rename: Option<Renames>,
    },
}

/// From scratch bits to the variables' own, and back.
struct Renames {
    to_own: Renaming,
    to_scratch: Renaming,
    scratch: Node,
}

impl Bdd<'_> {
    /// The transition of a step.
    pub(super) fn transition(&mut self, step: Step) -> Result<Rc<Transition>, Stopped> {
        if let Some(known) = self.transitions.get(&step) {
            return Ok(known.clone());
        }
        let transition = Rc::new(self.build(step)?);
        self.transitions.insert(step, transition.clone());
        Ok(transition)
    }

    /// The disjunction over the paths of a block from its start to an exit.
    fn block_condition(&mut self, function: FuncId, from: LocId, to: LocId) -> Result<Node, Stopped> {
        if let Some(known) = self.block_conditions.remove(&(function, from, to)) {
            return Ok(known);
        }
        let facts = self.facts;
        let automaton = &facts.program.functions[function];
        let block = self.blocks[function][from].clone().expect("a block step starts at a block");
        let mut reach: FxHashMap<LocId, Node> = FxHashMap::default();
        reach.insert(from, self.diagrams.top());
        for &member in &block.members {
            let here = reach.get(&member).cloned().unwrap_or_else(|| self.diagrams.bottom());
            for (id, edge) in automaton.out(member) {
                let Op::Assume { cond, truth } = edge.op else { unreachable!("blocks hold tests") };
                let condition = match self.condition(cond)? {
                    Some(set) if truth => set,
                    Some(set) => self.diagrams.not(&set).map_err(full)?,
                    None => {
                        self.approximate(Step::Edge(function, id), "a condition");
                        self.diagrams.top()
                    }
                };
                let through = self.diagrams.and(&here, &condition).map_err(full)?;
                let known = reach.get(&edge.dst).cloned().unwrap_or_else(|| self.diagrams.bottom());
                reach.insert(edge.dst, self.diagrams.or(&known, &through).map_err(full)?);
            }
        }
        // The other exit will be asked for next.
        for &exit in block.exits.iter().filter(|&&exit| exit != to) {
            let set = reach.remove(&exit).unwrap_or_else(|| self.diagrams.bottom());
            self.block_conditions.insert((function, from, exit), set);
        }
        Ok(reach.remove(&to).unwrap_or_else(|| self.diagrams.bottom()))
    }

    /// The states after a step from one of these.
    pub(super) fn image(&self, set: &Node, transition: &Transition) -> Result<Node, Stopped> {
        let d = &self.diagrams;
        let result = match &transition.kind {
            Kind::Identity => match &transition.forget {
                Some(cube) => d.exists(set, cube),
                None => Ok(set.clone()),
            },
            Kind::Assume(condition) => match &transition.forget {
                Some(cube) => d.and_exists(set, condition, cube),
                None => d.and(set, condition),
            },
            Kind::Assign { target, relation, rename: None } => {
                let free = d.exists(set, target).map_err(full)?;
                match &transition.forget {
                    Some(cube) => d.and_exists(&free, relation, cube),
                    None => d.and(&free, relation),
                }
            }
            Kind::Assign { target, relation, rename: Some(renames) } => {
                let new = d.and_exists(set, relation, target).map_err(full)?;
                let new = d.rename(&new, &renames.to_own).map_err(full)?;
                match &transition.forget {
                    Some(cube) => d.exists(&new, cube),
                    None => Ok(new),
                }
            }
        };
        result.map_err(full)
    }

    /// The states from which a step leads to one of these, which do not constrain forgotten variables.
    pub(super) fn preimage(&self, set: &Node, transition: &Transition) -> Result<Node, Stopped> {
        let d = &self.diagrams;
        match &transition.kind {
            Kind::Identity => Ok(set.clone()),
            Kind::Assume(condition) => d.and(set, condition).map_err(full),
            Kind::Assign { target, relation, rename: None } => d.and_exists(set, relation, target).map_err(full),
            Kind::Assign { relation, rename: Some(renames), .. } => {
                let primed = d.rename(set, &renames.to_scratch).map_err(full)?;
                d.and_exists(&primed, relation, &renames.scratch).map_err(full)
            }
        }
    }

    fn build(&mut self, step: Step) -> Result<Transition, Stopped> {
        let program = &self.facts.program;
        let edge = step.edge(program).clone();
        let forgotten = self.forgotten(step);
        let kind = match step {
            Step::Edge(..) => self.edge_kind(step, &edge.op, &forgotten)?,
            Step::Block { function, from, to, .. } => Kind::Assume(self.block_condition(function, from, to)?),
            Step::Enter { callee, .. } => {
                let Op::Call { args, callee: called, .. } = &edge.op else {
                    unreachable!("calls are entered through call edges")
                };
                if let Callee::Indirect(_) = *called {
                    self.approximate(step, "which function an indirect call calls");
                }
                let params = program.functions[callee].params.clone();
                // An indirect call may have other arguments than the function's parameters; those stay open.
                let pairs = params.iter().enumerate().map(|(i, &p)| (p, args.get(i).copied())).collect::<Vec<_>>();
                self.assignment(step, &pairs, &forgotten)?
            }
            Step::Leave { callee, caller, .. } => {
                if self.facts.calls.component(callee) == self.facts.calls.component(caller)
                    && self.facts.calls.is_recursive(caller)
                {
                    self.approximate(step, "the caller's variables across a recursive call");
                }
                let Op::Call { result, .. } = edge.op else { unreachable!("calls are left through call edges") };
                let value = self.facts.results[callee]
                    .map(|var| program.exprs.ids().find(|&e| program.exprs.get(e) == Expr::Var(var)));
                match result {
                    Some(result) => self.assignment(step, &[(result, value.flatten())], &forgotten)?,
                    None => Kind::Identity,
                }
            }
        };
        let bits: Vec<VarIndex> =
            forgotten.iter().filter_map(|&v| self.encoding.get(v)).flat_map(|c| c.bits.iter().copied()).collect();
        let forget = if bits.is_empty() { None } else { Some(self.diagrams.cube(&bits).map_err(full)?) };
        Ok(Transition { kind, forget })
    }

    /// The variables that do not matter after a step.
    fn forgotten(&self, step: Step) -> Vec<VarId> {
        let facts = self.facts;
        let program = &facts.program;
        match step {
            Step::Edge(function, edge) => {
                let mut dying = facts.liveness.dying(function, program.functions[function].edge(edge));
                // The caller still takes the returned value.
                dying.retain(|&v| facts.results[function] != Some(v));
                dying
            }
            Step::Block { function, from, to, .. } => {
                facts.liveness.at(function, from).difference(facts.liveness.at(function, to)).iter().collect()
            }
            Step::Enter { caller, edge, callee } => {
                let edge = program.functions[caller].edge(edge);
                let after = facts.liveness.at(caller, edge.dst);
                let entry = facts.liveness.at(callee, program.functions[callee].entry);
                let of_caller = facts.liveness.at(caller, edge.src).iter().filter(|&v| {
                    let local = program.vars[v].kind.owner() == Some(caller) && !facts.calls.is_recursive(caller);
                    local && !after.contains(v)
                });
                let params = program.functions[callee].params.iter().copied().filter(|&p| !entry.contains(p));
                of_caller.chain(params).collect()
            }
            Step::Leave { callee, caller, edge } => {
                let function = &program.functions[callee];
                let after = facts.liveness.at(caller, program.functions[caller].edge(edge).dst);
                let exit = facts.liveness.at(callee, function.exit);
                let mut dead: Vec<VarId> = exit.iter().filter(|&v| !after.contains(v)).collect();
                dead.extend(facts.results[callee]);
                if let Op::Call { result: Some(result), .. } = program.functions[caller].edge(edge).op
                    && !after.contains(result)
                {
                    dead.push(result);
                }
                // Recursive calls share one copy of the locals: the caller's are lost.
                if facts.calls.component(callee) == facts.calls.component(caller) && facts.calls.is_recursive(caller) {
                    dead.extend(&program.functions[caller].params);
                    dead.extend(&program.functions[caller].locals);
                }
                dead.sort_unstable();
                dead.dedup();
                // Locals of a caller that waits further down the stack are not this function's to forget.
                dead.retain(|&v| match program.vars[v].kind {
                    VarKind::Global(_) => true,
                    kind => kind.owner() == Some(callee) || kind.owner() == Some(caller),
                });
                dead
            }
        }
    }

    fn edge_kind(&mut self, step: Step, op: &Op, forgotten: &[VarId]) -> Result<Kind, Stopped> {
        Ok(match op {
            Op::Assume { cond, truth } => match self.condition(*cond)? {
                Some(set) if *truth => Kind::Assume(set),
                Some(set) => Kind::Assume(self.diagrams.not(&set).map_err(full)?),
                None => {
                    self.approximate(step, "a condition");
                    Kind::Identity
                }
            },
            Op::Assign { var, value } => self.assignment(step, &[(*var, Some(*value))], forgotten)?,
            Op::Havoc { var, .. } => self.assignment(step, &[(*var, None)], forgotten)?,
            Op::Builtin { result: Some(var), .. } => {
                if self.encoding.get(*var).is_some() && !forgotten.contains(var) {
                    self.approximate(step, "the result of a library function");
                }
                self.assignment(step, &[(*var, None)], forgotten)?
            }
            Op::Alloc { .. }
            | Op::Builtin { result: None, .. }
            | Op::Skip
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMem { .. }
            | Op::Free { .. }
            | Op::Return { .. }
            | Op::Halt { .. }
            | Op::Error(_)
            | Op::Unsupported(_) => Kind::Identity,
            Op::Call { .. } => unreachable!("calls are entered and left"),
        })
    }

    /// Variables take the values of expressions at once; one without expression takes any value.
    fn assignment(
        &mut self,
        step: Step,
        pairs: &[(VarId, Option<ExprId>)],
        forgotten: &[VarId],
    ) -> Result<Kind, Stopped> {
        let mut target: Vec<VarIndex> = Vec::new();
        let mut writes: Vec<(VarId, Option<ExprId>)> = Vec::new();
        for &(var, value) in pairs {
            let Some(code) = self.encoding.get(var) else { continue };
            target.extend(&code.bits);
            if !forgotten.contains(&var) {
                writes.push((var, value));
            }
        }
        if target.is_empty() {
            return Ok(Kind::Identity);
        }
        let targets: Vec<VarId> = pairs.iter().map(|&(v, _)| v).collect();
        let reads_target = writes.iter().filter_map(|&(_, e)| e).any(|e| self.mentions(e, &targets));
        let primed = reads_target && writes.iter().all(|(v, _)| self.has_scratch(*v));
        let mut relation = self.diagrams.top();
        for &(var, value) in &writes {
            let value = if reads_target && !primed { None } else { value };
            let part = match value {
                Some(e) => self.relation(var, e, primed)?,
                None => None,
            };
            let part = match part {
                Some(part) => part,
                None => {
                    if pairs.iter().any(|&(v, e)| v == var && e.is_some()) {
                        self.approximate(step, "a value");
                    }
                    self.domain(var, primed)?
                }
            };
            relation = self.diagrams.and(&relation, &part).map_err(full)?;
        }
        let target = self.diagrams.cube(&target).map_err(full)?;
        let rename = if primed { Some(self.renames(&writes)?) } else { None };
        Ok(Kind::Assign { target, relation, rename })
    }

    /// Whether an expression mentions one of the variables.
    fn mentions(&self, e: ExprId, vars: &[VarId]) -> bool {
        let pool = &self.facts.program.exprs;
        match pool.get(e) {
            Expr::Var(var) => vars.contains(&var),
            _ => pool.operands(e).any(|operand| self.mentions(operand, vars)),
        }
    }

    fn has_scratch(&self, var: VarId) -> bool {
        self.encoding.get(var).is_some_and(|c| c.scratch.len() == c.bits.len())
    }

    fn renames(&self, writes: &[(VarId, Option<ExprId>)]) -> Result<Renames, Stopped> {
        let codes: Vec<&Code> = writes.iter().filter_map(|(v, _)| self.encoding.get(*v)).collect();
        let pairs = |from: fn(&Code) -> &Vec<VarIndex>, to: fn(&Code) -> &Vec<VarIndex>| -> Vec<_> {
            codes.iter().flat_map(|c| from(c).iter().copied().zip(to(c).iter().copied())).collect()
        };
        let own: fn(&Code) -> &Vec<VarIndex> = |c| &c.bits;
        let scratch: fn(&Code) -> &Vec<VarIndex> = |c| &c.scratch;
        let all: Vec<VarIndex> = codes.iter().flat_map(|c| c.scratch.iter().copied()).collect();
        Ok(Renames {
            to_own: self.diagrams.renaming(&pairs(scratch, own)).map_err(full)?,
            to_scratch: self.diagrams.renaming(&pairs(own, scratch)).map_err(full)?,
            scratch: self.diagrams.cube(&all).map_err(full)?,
        })
    }

    fn target_bits(&self, var: VarId, primed: bool) -> Vec<VarIndex> {
        let code = self.encoding.get(var).expect("only tracked variables are written");
        if primed { code.scratch.clone() } else { code.bits.clone() }
    }

    /// The set where an indexed variable's target bits say this index.
    fn index_set(&self, bits: &[VarIndex], index: usize) -> Result<Node, Stopped> {
        let literals: Vec<_> = bits.iter().enumerate().map(|(i, &bit)| (bit, index >> i & 1 == 1)).collect();
        self.diagrams.literals(&literals).map_err(full)
    }

    /// All values that the encoding of a variable has.
    fn domain(&self, var: VarId, primed: bool) -> Result<Node, Stopped> {
        let code = self.encoding.get(var).expect("only tracked variables are written");
        let Meaning::Index { values, .. } = &code.meaning else { return Ok(self.diagrams.top()) };
        let bits = self.target_bits(var, primed);
        let mut set = self.diagrams.bottom();
        for (index, _) in values.iter().enumerate().filter(|(_, v)| v.is_some()) {
            set = self.diagrams.or(&set, &self.index_set(&bits, index)?).map_err(full)?;
        }
        Ok(set)
    }

    /// The relation `var = e`; `None` if it cannot be expressed.
    fn relation(&mut self, var: VarId, e: ExprId, primed: bool) -> Result<Option<Node>, Stopped> {
        let bits = self.target_bits(var, primed);
        let meaning = self.encoding.get(var).map(|c| c.meaning.clone());
        let Some(Meaning::Index { values, exact }) = meaning else {
            let Some(value) = self.value(e)? else { return Ok(None) };
            let mut relation = self.diagrams.top();
            for (&bit, value) in bits.iter().zip(value.iter()).rev() {
                let same = self.diagrams.iff(&self.diagrams.var(bit).map_err(full)?, value).map_err(full)?;
                relation = self.diagrams.and(&relation, &same).map_err(full)?;
            }
            return Ok(Some(relation));
        };
        self.indexed_relation(&bits, &values, exact, e)
    }

    fn indexed_relation(
        &mut self,
        bits: &[VarIndex],
        values: &[Option<u64>],
        exact: bool,
        e: ExprId,
    ) -> Result<Option<Node>, Stopped> {
        let facts = self.facts;
        let pool = &facts.program.exprs;
        let index_of = |value: u64| values.iter().position(|v| *v == Some(value));
        if let Some(constant) = pool.as_const(e) {
            return match index_of(constant) {
                Some(index) => Ok(Some(self.index_set(bits, index)?)),
                None => Ok(None),
            };
        }
        // A value of another indexed variable: row by row.
        if let Support::One(source) = self.support(e)
            && let Some(Code { meaning: Meaning::Index { values: from, exact }, .. }) = self.encoding.get(source)
        {
            let (from, known) = (from.clone(), *exact);
            // A stand-in for many values may be handed on (through casts), but not computed with.
            if known || carries(pool, e) {
                let mut relation = self.diagrams.bottom();
                for (index, value) in from.iter().enumerate() {
                    let Some(value) = value else { continue };
                    let to = self.evaluate(e, source, *value).and_then(index_of);
                    let Some(to) = to else { return Ok(None) };
                    let row = self.diagrams.and(&self.index_is(source, index)?, &self.index_set(bits, to)?);
                    relation = self.diagrams.or(&relation, &row.map_err(full)?).map_err(full)?;
                }
                return Ok(Some(relation));
            }
        }
        // Any other value: compare it with each representative.
        if !exact {
            return Ok(None);
        }
        let Some(value) = self.value(e)? else { return Ok(None) };
        let mut relation = self.diagrams.bottom();
        for (index, constant) in values.iter().enumerate() {
            let Some(constant) = constant else { continue };
            let mut row = self.index_set(bits, index)?;
            for (i, bit) in value.iter().enumerate() {
                let same = if constant >> i & 1 == 1 { bit.clone() } else { self.diagrams.not(bit).map_err(full)? };
                row = self.diagrams.and(&row, &same).map_err(full)?;
            }
            relation = self.diagrams.or(&relation, &row).map_err(full)?;
        }
        Ok(Some(relation))
    }

    /// The states in which the program starts.
    pub(super) fn initial_set(&mut self) -> Result<Node, Stopped> {
        let facts = self.facts;
        let main = facts.program.main;
        let live = main.map(|m| facts.liveness.at(m, facts.program.functions[m].entry));
        let mut set = self.diagrams.top();
        for (var, info) in facts.program.vars.enumerate() {
            if self.encoding.get(var).is_none() || !live.is_some_and(|l| l.contains(var)) {
                continue;
            }
            let part = match info.kind {
                VarKind::Global(init) => match self.relation(var, init, false)? {
                    Some(part) => part,
                    None => self.domain(var, false)?,
                },
                // Parameters of main are inputs; so is whatever is read before it is written.
                _ => self.domain(var, false)?,
            };
            set = self.diagrams.and(&set, &part).map_err(full)?;
        }
        Ok(set)
    }

    /// Notes that a step is not exact.
    fn approximate(&mut self, step: Step, what: &'static str) {
        let pos = step.edge(&self.facts.program).pos;
        self.approximations.entry(step.edge_ref()).or_insert(Approximation { pos, what });
    }
}

/// Whether an expression hands the value of its variable on, at most widened or narrowed.
fn carries(pool: &robusto_cfa::ir::ExprPool, e: ExprId) -> bool {
    match pool.get(e) {
        Expr::Var(_) => true,
        Expr::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, Ty::Int(_), inner) => carries(pool, inner),
        _ => false,
    }
}
