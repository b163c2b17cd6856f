//! Follows an execution of the interpreter with formulas: at every step the guard must hold and every live variable must
//! have the interpreter's value.

use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, HavocSource, LocId, ObjectKind, Op, Program, Ty, VarId, VarKind};
use robusto_cpa::Step;
use robusto_interp::inputs::Request;
use robusto_interp::{Change, Code, Config, EdgeRef, Inputs, Machine, Observer, Outcome, Streams, View, What};
use robusto_logic::{ArrayValue, Evaluator, Model, Sort, Term};
use robusto_testing::Random;
use std::collections::BTreeMap;

/// The byte that all memory of unknown content holds.
pub const PATTERN: u8 = 0xA5;

/// Seeded values for variables, the pattern for memory.
pub struct Values(pub Random);

impl Inputs for Values {
    fn value(&mut self, request: Request) -> u128 {
        let bits = u128::from(self.0.bits());
        match request.ty {
            // The usual order of evaluation: others may be ones that are not tried.
            _ if request.source == HavocSource::Order => 0,
            Ty::Ptr => 0,
            _ if !self.0.one_in(4) => bits % 17,
            _ => bits,
        }
    }

    fn fill(&mut self, _: Request, bytes: &mut [u8]) {
        bytes.fill(PATTERN);
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        bytes.fill(PATTERN);
    }
}

/// Observes an execution and takes the same steps.
pub struct Follower<'e, 'f> {
    pub encoder: &'e mut Encoder<'f>,
    pub now: PathFormula,
    pub model: Model,
    facts: &'f Facts,
    calls: Vec<(FuncId, EdgeId)>,
    /// Heap objects: from the interpreter's address to ours.
    heap: BTreeMap<u64, u64>,
    /// Start a new block after so many steps, and go on from its composition with what was before.
    pub block: Option<u64>,
    before: Option<PathFormula>,
    blocks: u32,
    pub steps: u64,
    started: bool,
}

impl<'e, 'f> Follower<'e, 'f> {
    pub fn new(encoder: &'e mut Encoder<'f>) -> Self {
        let now = encoder.initial();
        let facts = encoder.facts();
        Self {
            encoder,
            now,
            model: Model::new(),
            facts,
            calls: Vec::new(),
            heap: BTreeMap::new(),
            block: None,
            before: None,
            blocks: 0,
            steps: 0,
            started: false,
        }
    }

    /// The whole path from the start of the program.
    fn whole(&mut self) -> PathFormula {
        match self.before.clone() {
            None => self.now.clone(),
            Some(before) => self.encoder.compose(&before, &self.now, self.blocks),
        }
    }

    fn take(&mut self, view: &View<'_>, step: Step) {
        let edge = step.edge(&self.facts.program);
        let next = self.encoder.step(&self.now, step).unwrap_or_else(|stopped| panic!("{stopped}"));
        self.now = next.unwrap_or_else(|| panic!("the guard is false after line {} {:?}", edge.pos.line, edge.op));
        // Whatever is chosen for a variable is what the interpreter has.
        let chosen: Vec<(Cell, Term)> = self.now.env.iter().map(|(&c, &t)| (c, t)).collect();
        for (cell, term) in chosen {
            let Some(symbol) = self.encoder.terms.as_symbol(term) else { continue };
            if let Cell::Var(var, _) = cell
                && self.encoder.cell_of(symbol).is_none()
                && let instance = self.encoder.instance(term, self.blocks)
                && let symbol = self.encoder.terms.as_symbol(instance).expect("a symbol")
                && !self.model.mentions(symbol)
                && let Some(value) = self.value_of(view, var)
            {
                self.model.set(symbol, value);
            }
        }
    }

    fn value_of(&self, view: &View<'_>, var: VarId) -> Option<u128> {
        let value = view.var(var)?;
        let info = &self.facts.program.vars[var];
        let value = if info.ty == Ty::Ptr { self.translate(view, value as u64)?.into() } else { value };
        Some(value)
    }

    /// Our address for one of the interpreter's; `None` if it cannot be told.
    fn translate(&self, view: &View<'_>, pointer: u64) -> Option<u64> {
        if view.function_at(pointer).is_some() {
            return Some(pointer);
        }
        let Some(target) = view.memory.locate(pointer) else { return Some(pointer) };
        match target.what {
            What::Object(object) => match self.facts.program.objects[object].kind {
                ObjectKind::Local(owner) if self.facts.calls.is_recursive(owner) => None,
                _ => Some(self.encoder.address_of(object, 0)?.wrapping_add_signed(target.offset)),
            },
            What::Heap(_) | What::Alloca(_) => {
                let start = pointer.wrapping_sub(target.offset as u64);
                self.heap.get(&start).map(|ours| ours.wrapping_add_signed(target.offset))
            }
            _ => Some(pointer),
        }
    }

    /// Gives memory of unknown content the pattern.
    fn complete(&mut self, formula: &PathFormula) {
        let mut roots: Vec<Term> = formula.env.values().copied().collect();
        roots.push(formula.guard);
        for t in self.encoder.terms.subterms(&roots) {
            let Some(symbol) = self.encoder.terms.as_symbol(t) else { continue };
            if self.model.mentions(symbol) {
                continue;
            }
            let pattern = |bits: u16| u128::from_le_bytes([PATTERN; 16]) >> (128 - bits);
            match self.encoder.terms.sort(t) {
                Sort::Array { element, .. } => {
                    let value = ArrayValue { elements: BTreeMap::new(), default: pattern(element) };
                    self.model.set_array(symbol, value);
                }
                Sort::Bits(width) => match self.encoder.cell_of(symbol) {
                    Some(Cell::Var(..)) => {}
                    _ => self.model.set(symbol, pattern(width)),
                },
            }
        }
    }

    fn check(&mut self, view: &View<'_>, loc: LocId, line: u32) {
        let formula = self.whole();
        self.complete(&formula);
        let program = &self.facts.program;
        let mut wanted = Vec::new();
        for (var, info) in program.vars.enumerate() {
            if !self.facts.liveness.at(view.function, loc).contains(var) {
                continue;
            }
            // Liveness does not tell callers apart: a global that no pending call needs any more may have been dropped.
            let visible = match info.kind.owner() {
                None => self.calls.iter().all(|&(caller, edge)| {
                    let after = program.functions[caller].edge(edge).dst;
                    self.facts.liveness.at(caller, after).contains(var)
                }),
                Some(owner) => owner == view.function,
            };
            if let (true, Some(value)) = (visible, self.value_of(view, var)) {
                let activation = match info.kind {
                    VarKind::Global(_) => 0,
                    _ => formula.activations.get(&view.function).map_or(0, |n| n - 1),
                };
                let term = self.encoder.value(&formula, Cell::Var(var, activation));
                wanted.push((var, term, value));
            }
        }
        let mut evaluator = Evaluator::new(&self.encoder.terms, &self.model);
        assert_eq!(evaluator.value(formula.guard), 1, "the guard holds after line {line}");
        for (var, term, value) in wanted {
            let found = evaluator.value(term);
            let name = &program.vars[var].name;
            assert_eq!(found, value, "{name} after line {line}: {found:#x} instead of {value:#x}");
        }
    }
}

impl Observer for Follower<'_, '_> {
    fn call(&mut self, view: &View<'_>, function: FuncId) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        for &param in &self.facts.program.functions[function].params {
            let activation = u32::from(false);
            let input = self.encoder.input(Cell::Var(param, activation));
            let symbol = self.encoder.terms.as_symbol(input).expect("a symbol");
            self.model.set(symbol, view.var(param).expect("a parameter"));
        }
    }

    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        let program = &self.facts.program;
        let edge = program.functions[at.function].edge(at.edge);
        let mut loc = edge.dst;
        match edge.op {
            Op::Call { .. } => {
                let callee = view.function;
                self.take(view, Step::Enter { caller: at.function, edge: at.edge, callee });
                self.calls.push((at.function, at.edge));
                loc = program.functions[callee].entry;
            }
            Op::Return { .. } => {
                self.take(view, Step::Edge(at.function, at.edge));
                let (caller, edge) = self.calls.pop().expect("main's return ends the execution");
                self.take(view, Step::Leave { callee: at.function, caller, edge });
                loc = program.functions[caller].edge(edge).dst;
            }
            Op::Alloc { var, .. } => {
                self.take(view, Step::Edge(at.function, at.edge));
                let formula = self.whole();
                self.complete(&formula);
                let activation = formula.activations.get(&at.function).map_or(0, |n| n - 1);
                if formula.env.contains_key(&Cell::Var(var, activation)) {
                    let term = self.encoder.value(&formula, Cell::Var(var, activation));
                    let ours = self.encoder.terms.evaluate(term, &self.model) as u64;
                    self.heap.insert(view.var(var).expect("its own") as u64, ours);
                }
            }
            _ => self.take(view, Step::Edge(at.function, at.edge)),
        }
        let _ = change;
        self.check(view, loc, edge.pos.line);
        self.steps += 1;
        if self.block.is_some_and(|every| self.steps.is_multiple_of(every)) {
            let whole = self.whole();
            self.now = self.encoder.identity(&whole);
            self.before = Some(whole);
            self.blocks += 1;
        }
    }
}

/// Runs a program and follows it; gives how it ended and the number of steps.
pub fn follow(facts: &Facts, seed: u64, block: Option<u64>, max_steps: u64) -> (Outcome, u64, Vec<String>) {
    let mut encoder = Encoder::new(facts);
    let mut follower = Follower::new(&mut encoder);
    follower.block = block;
    let code = Code::new(&facts.program);
    let mut inputs = Values(Random::new(seed));
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let streams = Streams { out: &mut out, err: &mut err };
    let config = Config { max_steps: Some(max_steps), ..Config::default() };
    let outcome =
        Machine::new(&facts.program, &code, config, &mut inputs, &mut follower, streams).expect("it can start").run();
    let steps = follower.steps;
    let approximations = encoder.approximations().map(|a| format!("{} at line {}", a.what, a.pos.line)).collect();
    (outcome, steps, approximations)
}

/// Compiles a program.
pub fn compile(text: &str, model: robusto_cfa::ir::DataModel) -> Program {
    let mut sources = robusto_syntax::SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(model)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}
