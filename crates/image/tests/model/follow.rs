//! Follows an execution of the interpreter with the model: whenever the steps taken are those of an exit, the model must take
//! that exit, and every live word whose value can be told must have it.

use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{DataModel, EdgeId, FuncId, HavocSource, ObjectKind, Op, Program, Ty, VarId};
use robusto_cpa::Step;
use robusto_image::export::{State, System};
use robusto_image::model::{Code, Model, Options, Place, Word};
use robusto_interp::inputs::Request;
use robusto_interp::{Change, Config, EdgeRef, Inputs, Machine, Observer, Outcome, Streams, View, What};
use robusto_limits::Limits;
use robusto_logic::{Evaluator, Model as Values, Term, Terms};
use robusto_testing::Random;
use std::collections::{BTreeMap, HashMap};

/// The byte that all memory of unknown content holds.
const PATTERN: u8 = 0xA5;

/// How an execution of the model ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With the program.
    Finished,
    /// At a violation.
    Violated,
    /// Beyond a bound of the model.
    Bound,
    /// Not yet: the interpreter had enough.
    Open,
    /// The program did something undefined.
    Undefined,
}

/// What was compared.
pub struct Run {
    pub end: End,
    pub blocks: u64,
    pub values: u64,
}

/// Seeded values for variables, the pattern for memory.
struct Chosen(Random);

impl Inputs for Chosen {
    fn value(&mut self, request: Request) -> u128 {
        let bits = u128::from(self.0.bits());
        match request.ty {
            _ if request.source == HavocSource::Order => 0,
            Ty::Ptr => 0,
            _ if !self.0.one_in(4) => bits % 7,
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

struct Follower<'f> {
    facts: &'f Facts,
    model: &'f Model,
    system: &'f System,
    /// By word, its value as the program sees it.
    plain: Vec<Term>,
    terms: Terms,
    encoder: Encoder<'f>,
    state: Option<State>,
    /// Since the last location, with the formula of these steps and the names of what they chose.
    steps: Vec<Step>,
    formula: PathFormula,
    chosen: HashMap<String, u128>,
    calls: Vec<(FuncId, EdgeId)>,
    /// Heap objects: from the interpreter's address to the model's.
    heap: BTreeMap<u64, u64>,
    run: Run,
}

/// The width of a word as the program sees it.
fn width_of(terms: &Terms, word: &Word) -> u16 {
    match word.code {
        Code::Plain => terms.width(word.symbol),
        Code::Low { width, .. }
        | Code::Listed { width, .. }
        | Code::Ranges { width, .. }
        | Code::Steps { width, .. } => width,
    }
}

/// What a word keeps of a value that is not in a list: the range that it is in, or the value.
fn coded(code: &Code, value: u128) -> u128 {
    match code {
        Code::Ranges { starts, .. } => starts.iter().filter(|&&start| start <= value).count() as u128 - 1,
        _ => value,
    }
}

fn pattern(bits: u16) -> u128 {
    u128::from_le_bytes([PATTERN; 16]) >> (128 - bits)
}

impl<'f> Follower<'f> {
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

    fn value_of(&self, view: &View<'_>, var: VarId) -> Option<u128> {
        let value = view.var(var)?;
        if self.facts.program.vars[var].ty != Ty::Ptr {
            return Some(value);
        }
        self.translate(view, value as u64).map(u128::from)
    }

    /// The formula of a location's block before its first step.
    fn block(&mut self) {
        let location = self.state.as_ref().expect("it has started").location;
        let mut at = self.encoder.initial();
        at.activations.clear();
        if let Place::Control(calls, here) = &self.model.places[location] {
            for function in calls.iter().map(|&(caller, _)| caller).chain([here.function]) {
                if self.facts.calls.is_recursive(function) {
                    let count = at.activations.get(&function).copied().unwrap_or(0);
                    at.activations.insert(function, count + 1);
                }
            }
        }
        self.formula = self.encoder.identity(&at);
        self.steps.clear();
        self.chosen.clear();
    }

    fn take(&mut self, view: &View<'_>, step: Step, whole: bool) {
        if self.run.end != End::Open {
            return;
        }
        self.steps.push(step);
        let location = self.state.as_ref().expect("it has started").location;
        if let Some(next) = self.encoder.step(&self.formula, step).unwrap_or_else(|stopped| panic!("{stopped}")) {
            self.formula = next;
        }
        for (&cell, &term) in &self.formula.env {
            if let Cell::Var(var, _) = cell
                && let Some(symbol) = self.encoder.terms.as_symbol(term)
                && self.encoder.cell_of(symbol).is_none()
                && let Some(value) = self.value_of(view, var)
            {
                self.chosen.entry(self.encoder.terms.symbol_name(symbol).to_owned()).or_insert(value);
            }
        }
        let leads = |to: usize| !matches!(self.model.places[to], Place::End | Place::Gap(_));
        if self.model.exits[location].iter().any(|exit| exit.steps == self.steps && leads(exit.to)) {
            self.leave();
            if self.run.end == End::Open && whole {
                self.check(view);
            }
        }
    }

    /// Takes the exit of the model, which must be the one of the steps.
    fn leave(&mut self) {
        let from = self.state.take().expect("it has started");
        let inputs = self.system.inputs.iter().map(|input| {
            let known = self.chosen.get(&input.meaning).copied();
            known.unwrap_or_else(|| pattern(self.system.width(input.symbol)))
        });
        let (exit, next) = self.system.step(&from, &inputs.collect::<Vec<_>>());
        let exit = exit.unwrap_or_else(|| panic!("a sink at {:?}", self.model.places[from.location]));
        let taken = &self.model.exits[from.location][exit];
        // Nothing is told of the last step of `main`.
        let same = taken.steps == self.steps
            || (self.model.places[taken.to] == Place::End && taken.steps.starts_with(&self.steps));
        assert!(same, "{:?} instead of {:?} to {:?}", taken.steps, self.steps, self.model.places[taken.to]);
        self.run.blocks += 1;
        self.run.end = match self.model.places[next.location] {
            Place::Control(..) => End::Open,
            Place::End => End::Finished,
            Place::Target(..) => End::Violated,
            Place::Bound(..) => End::Bound,
            Place::Gap(ref what) => panic!("{what}"),
        };
        self.state = Some(next);
        self.block();
    }

    /// The value of a word as the program sees it.
    fn word(&self, word: usize) -> u128 {
        let mut coded = Values::new();
        let state = self.state.as_ref().expect("it has started");
        for (own, &value) in self.model.words.iter().zip(&state.values) {
            coded.set(self.terms.as_symbol(own.symbol).expect("a symbol"), value);
        }
        Evaluator::new(&self.terms, &coded).value(self.plain[word])
    }

    fn check(&mut self, view: &View<'_>) {
        let model = self.model;
        let location = self.state.as_ref().expect("it has started").location;
        let Place::Control(calls, at) = &model.places[location] else { return };
        assert_eq!((at.function, calls), (view.function, &self.calls));
        let live = model.live[location].iter().map(|word| (&model.words[word], self.word(word)));
        let narrowed = model.narrowed.live.get(location).into_iter().flat_map(|live| live.iter());
        let constants = narrowed.filter_map(|word| match &model.narrowed.words[word] {
            word @ Word { code: Code::Listed { values, .. }, .. } if values.len() == 1 => Some((word, values[0])),
            _ => None,
        });
        let compared: Vec<_> = live.chain(constants).collect();
        for (word, found) in compared {
            let Some(expected) = self.expected(view, word) else { continue };
            // Memory has no types: a number may be a pointer.
            let pointer = word.address.and_then(|_| self.translate(view, expected as u64));
            let is = |expected: u128| coded(&word.code, expected) == coded(&word.code, found);
            let name = &word.name;
            assert!(
                is(expected) || pointer.is_some_and(|pointer| is(pointer.into())),
                "{name}: {found:#x} instead of {expected:#x} at {at:?}"
            );
            self.run.values += 1;
        }
    }

    /// What the interpreter has for a word, if that can be told.
    fn expected(&self, view: &View<'_>, word: &Word) -> Option<u128> {
        match (word.cell, word.address) {
            (Cell::Var(var, activation), _) => {
                let owner = self.facts.program.vars[var].kind.owner();
                let own = self.formula.activations.get(&view.function).map_or(0, |count| count - 1);
                let is_visible = owner.is_none() || (owner == Some(view.function) && activation == own);
                is_visible.then(|| self.value_of(view, var)).flatten()
            }
            (Cell::Region(_), Some(address)) => {
                let size = u64::from(width_of(&self.terms, word) / 8);
                self.stored(view, address, size)
            }
            _ => None,
        }
    }

    /// What the interpreter has at an address of the model, if that is in a static object, in an object of the function that is
    /// executed, or on the heap.
    fn stored(&self, view: &View<'_>, address: u64, size: u64) -> Option<u128> {
        let read = |at: u64| {
            let bytes = view.memory.bytes(at, size)?;
            Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte)))
        };
        for (object, info) in self.facts.program.objects.enumerate() {
            if let ObjectKind::Local(owner) = info.kind
                && (owner != view.function || self.facts.calls.is_recursive(owner))
            {
                continue;
            }
            if let Some(base) = self.encoder.address_of(object, 0)
                && (base..base + info.size).contains(&address)
            {
                return read(view.address(object)? + (address - base));
            }
        }
        let (theirs, ours) = self.heap.iter().filter(|&(_, &ours)| ours <= address).max_by_key(|&(_, ours)| ours)?;
        let at = theirs + (address - ours);
        // Freed, or beyond its end.
        let target = view.memory.locate(at)?;
        (matches!(target.what, What::Heap(_)) && at - target.offset as u64 == *theirs).then(|| read(at)).flatten()
    }
}

impl Observer for Follower<'_> {
    fn call(&mut self, view: &View<'_>, _: FuncId) {
        if self.state.is_some() {
            return;
        }
        let start = self.system.start(|number| {
            let word = &self.model.words[number];
            let value = match word.cell {
                Cell::Var(var, _) => self.value_of(view, var),
                _ => None,
            };
            let value = value.unwrap_or_else(|| pattern(width_of(&self.terms, word)));
            coded(&word.code, value) & u128::MAX >> (128 - self.system.width(word.symbol))
        });
        self.state = Some(start);
        self.block();
    }

    fn step(&mut self, view: &View<'_>, at: EdgeRef, _: Change) {
        let EdgeRef { function, edge } = at;
        match self.facts.program.functions[function].edge(edge).op {
            Op::Call { .. } => {
                self.calls.push((function, edge));
                self.take(view, Step::Enter { caller: function, edge, callee: view.function }, true);
            }
            Op::Return { .. } => {
                self.take(view, Step::Edge(function, edge), false);
                if let Some((caller, edge)) = self.calls.pop() {
                    self.take(view, Step::Leave { callee: function, caller, edge }, true);
                }
            }
            Op::Alloc { var, .. } => {
                // The address is what the heap begins with next.
                let top = self.model.words.iter().position(|word| word.cell == Cell::HeapTop);
                if let (Some(top), End::Open) = (top, self.run.end) {
                    let ours = self.word(top) as u64;
                    self.heap.insert(view.var(var).expect("its own") as u64, ours);
                }
                self.take(view, Step::Edge(function, edge), true);
            }
            _ => self.take(view, Step::Edge(function, edge), true),
        }
    }
}

/// Executes a program with the inputs of a seed, and the model beside it.
pub fn follow(facts: &Facts, options: &Options, seed: u64) -> Run {
    let limits = Limits::none();
    let intervals = Invariants::of(facts, &limits).expect("without limits");
    let model = Model::of(facts, Some(&intervals), options, &limits).expect("it is small");
    assert!(model.approximations.is_empty(), "{:?}", model.approximations);
    let system = System::of(&facts.program, &model).expect("it starts with constants");
    let mut terms = model.terms.clone();
    let plain = model.words.iter().map(|word| Model::decode(&mut terms, &word.code, word.symbol)).collect();
    let mut encoder = Encoder::new(facts);
    let formula = encoder.initial();
    let mut follower = Follower {
        facts,
        model: &model,
        system: &system,
        plain,
        terms,
        encoder,
        state: None,
        steps: Vec::new(),
        formula,
        chosen: HashMap::new(),
        calls: Vec::new(),
        heap: BTreeMap::new(),
        run: Run { end: End::Open, blocks: 0, values: 0 },
    };
    let code = robusto_interp::Code::new(&facts.program);
    let mut inputs = Chosen(Random::new(seed));
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let streams = Streams { out: &mut out, err: &mut err };
    let config = Config { max_steps: Some(1500), ..Config::default() };
    let outcome =
        Machine::new(&facts.program, &code, config, &mut inputs, &mut follower, streams).expect("it can start").run();
    if follower.run.end == End::Open {
        match outcome {
            Outcome::ErrorReached { at, .. } => {
                if follower.steps.last() != Some(&Step::Edge(at.function, at.edge)) {
                    follower.steps.push(Step::Edge(at.function, at.edge));
                }
                follower.leave();
                assert_eq!(follower.run.end, End::Violated);
            }
            Outcome::Exited(_) => {
                follower.leave();
                assert_eq!(follower.run.end, End::Finished);
            }
            Outcome::Undefined { .. } => follower.run.end = End::Undefined,
            Outcome::StepLimit => {}
            other => panic!("{}", other.describe(&facts.program)),
        }
    }
    follower.run
}

/// Compiles a program.
pub fn compile(text: &str, model: DataModel) -> Program {
    let mut sources = robusto_syntax::SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(model)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}
