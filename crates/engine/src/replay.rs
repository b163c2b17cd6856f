//! Replays a counterexample in the interpreter.
//!
//! The interpreter shares nothing with the engines but the automaton. It is given the values that the engine found for
//! the nondeterministic choices, in order, and must arrive at the error edge.
//!
//! What local variables hold that the program does not initialise is a choice, too. Nobody can bring a compiled program to make it, but
//! compilers set all of them to zero or to a pattern if they are asked to. So if the execution arrives that way as well, that is the
//! one which is told.

use crate::minimise::minimise;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::provenance::own_addresses;
use crate::recorder::{MAX_LINES, Recorder};
use crate::slice::{Bytes, Origin};
use robusto_cfa::ir::{AllocKind, Edge, FuncId, HavocSource, Op, Program, Ty};
use robusto_interp::inputs::{Request, Seeded};
use robusto_interp::{Code, Config, EdgeRef, Inputs, Machine, Observer, Outcome, Silent, Stopper, Streams, show};
use robusto_limits::{Limits, Stopped};
use robusto_verdict::{Allocation, Allocator, Assignment, Counterexample, Locals, Place, ValueKind, Write};
use std::collections::VecDeque;

/// Values for nondeterministic choices: the edge that asks, and the value (any if `None`).
pub type Choices = VecDeque<(EdgeRef, Option<u128>)>;

/// Content of memory that becomes nondeterministic: the edge, and the bytes.
pub type Fills = VecDeque<(EdgeRef, Vec<u8>)>;

/// All nondeterministic choices of an execution.
#[derive(Clone, Default, Debug)]
pub struct Script {
    /// Values of variables.
    pub values: Choices,
    /// Content of memory; what is not listed is zero.
    pub fills: Fills,
    /// Content of objects that begin to live, except empty ones, in their order.
    pub fresh: VecDeque<Vec<u8>>,
    /// Bytes outside of the program's objects at the start; those that are not listed are zero.
    pub outside: Vec<(u64, u8)>,
    /// What parts of objects hold that are allocated once.
    pub held: Vec<Held>,
    /// Where values of other choices come from: all are zero, or pseudo-random numbers from this seed.
    pub others: u64,
}

/// What a part of a new object holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The edge that allocates the object.
    pub at: EdgeRef,
    /// Where the part begins.
    pub offset: u64,
    /// Bytes of it, at most 8.
    pub size: u64,
    /// What it holds.
    pub value: u128,
}

/// What an execution did instead of arriving at the error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct Instead {
    /// What, for people.
    pub what: String,
    /// Whether it left the rules of C.
    pub is_undefined: bool,
    /// Whether it had no time to arrive, which says nothing about the error.
    pub is_interrupted: bool,
}

impl From<&str> for Instead {
    fn from(what: &str) -> Self {
        Self { what: what.to_owned(), is_undefined: false, is_interrupted: false }
    }
}

impl From<Choices> for Script {
    fn from(values: Choices) -> Self {
        Self { values, ..Self::default() }
    }
}

/// Most steps of an execution.
const MOST_STEPS: u64 = 1 << 32;

/// The same for what was found in a slice: a loop that the slice leaves out may have no end.
const MOST_COMPLETED_STEPS: u64 = 1 << 24;

/// Executes counterexamples of one program.
pub struct Replayer<'p> {
    program: &'p Program,
    code: Code,
    /// If what is found is found in a slice of the program: where its parts come from.
    origin: Option<&'p Origin>,
    /// Whose ledger takes what is found.
    problem: Option<&'p Problem>,
}

/// One execution may have this part of the time that the whole run has left, though the turn of its engine ends before: half. With a quarter,
/// errors behind 270 million steps were lost at 15 s on a busy machine.
const PATIENCE: u32 = 2;

/// What a choice is that was not found because it is not in the slice: zero at first, then any, by the number of the attempt.
const COMPLETIONS: u64 = 12;

impl<'p> Replayer<'p> {
    /// Prepares the program.
    pub fn new(program: &'p Program) -> Self {
        Self { program, code: Code::new(program), origin: None, problem: None }
    }

    /// Prepares the program of a problem; where that is a slice, the program that it is a slice of. What is found goes to the problem's
    /// ledger at once.
    pub fn of(problem: &'p Problem) -> Self {
        let (program, code, origin) = match problem.whole() {
            None => {
                let program = &problem.facts.program;
                (program, Code::with_own(program, &own_addresses(&problem.facts)), None)
            }
            Some(whole) => (&whole.program, Code::with_own(&whole.program, &whole.own), Some(&whole.origin)),
        };
        Self { program, code, origin, problem: Some(problem) }
    }

    /// Executes with the choices; the execution, if it ends at the error edge, else what it did instead. The trace is
    /// written down only if it is `wanted`.
    pub fn replay(
        &self,
        script: impl Into<Script>,
        error: EdgeRef,
        wanted: bool,
        limits: &Limits,
    ) -> Result<Counterexample, Instead> {
        let target = self.problem.and_then(|problem| {
            let target = problem.targets.iter().find(|target| edge_of(target) == (error.function, error.edge));
            Some((problem.ledger(), target?))
        });
        let known = |found: &Counterexample| target.iter().for_each(|(ledger, target)| ledger.found(target, found));
        let found = self.execute(script.into(), error, wanted, limits, &known)?;
        known(&found);
        target.iter().for_each(|(ledger, target)| ledger.tell(target, &found));
        Ok(found)
    }

    /// The same; `known` takes an execution that arrives as soon as there is one.
    fn execute(
        &self,
        mut script: Script,
        mut error: EdgeRef,
        wanted: bool,
        limits: &Limits,
        known: &dyn Fn(&Counterexample),
    ) -> Result<Counterexample, Instead> {
        if let Some(origin) = self.origin {
            error = origin.edge_ref(error);
            for (at, value) in std::mem::take(&mut script.values) {
                let edge = origin.edge_ref(at);
                match origin.fresh.get(&(at.function, at.edge)) {
                    Some(&Bytes { offset, size }) => {
                        script.held.push(Held { at: edge, offset, size, value: value.unwrap_or(0) });
                    }
                    None => script.values.push_back((edge, value)),
                }
            }
            script.fills.iter_mut().for_each(|(edge, _)| *edge = origin.edge_ref(*edge));
            // What the slice leaves out asks for values, too.
            for seed in 0..COMPLETIONS {
                script.others = seed;
                if self.arrives(script.clone(), error, limits) {
                    break;
                }
            }
        }
        let most_steps = self.most_steps();
        // What was found is not thrown away because the turn of its engine ends: of hundreds of millions of steps, the last ones matter.
        let whole = limits.whole();
        let patient = match (limits.remaining(), whole.remaining()) {
            (Some(turn), Some(all)) => whole.within(turn.max(all / PATIENCE)),
            _ => limits.clone(),
        };
        let (found, mut steps) = self.attempt(script.clone(), Locals::Chosen, most_steps, error, false, &patient);
        let mut found = found?;
        known(&found);
        // A trace is for people, and so are its inputs. Nobody reads one of a million steps, and writing it down takes a hundred
        // times as long as executing them.
        let wanted = wanted && steps <= MAX_LINES as u64;
        if wanted {
            script = minimise(self, self.program, script, error, limits);
            // A run that is about to end has no time for a trace.
            if let (Ok(again), taken) = self.attempt(script.clone(), Locals::Chosen, most_steps, error, true, &patient)
            {
                (found, steps) = (again, taken);
                known(&found);
            }
        }
        let copy = script;
        if found.locals != Locals::Chosen {
            return Ok(found);
        }
        // Another execution may be a longer one, or have no end.
        let most = steps.saturating_mul(10).saturating_add(1000).min(MOST_STEPS);
        let simpler = |locals| self.attempt(copy.clone(), locals, most, error, wanted, limits).0.ok();
        Ok([Locals::Zero, Locals::Pattern].into_iter().find_map(simpler).unwrap_or(found))
    }

    fn most_steps(&self) -> u64 {
        if self.origin.is_some() { MOST_COMPLETED_STEPS } else { MOST_STEPS }
    }

    /// One execution, and how many steps it took.
    fn attempt(
        &self,
        script: Script,
        locals: Locals,
        most: u64,
        error: EdgeRef,
        wanted: bool,
        limits: &Limits,
    ) -> (Result<Counterexample, Instead>, u64) {
        let mut source = self.listed(script, locals);
        let mut recorder = Recorder::new(self.program);
        let run = match wanted {
            true => self.run(&mut source, &mut recorder, most, limits),
            false => self.run(&mut source, Silent, most, limits),
        };
        let (outcome, steps) = match run {
            Ok(run) => run,
            Err(what) => return (Err(Instead::from(&*what)), 0),
        };
        let found = match outcome {
            Outcome::ErrorReached { at, .. } | Outcome::Unsupported { at, .. } if at == error => Ok(Counterexample {
                inputs: source.inputs,
                writes: source.writes,
                orders: source.orders,
                failures: source.failures,
                heap: source.heap,
                locals: if source.matters { locals } else { Locals::Zero },
                trace: recorder.finish(),
            }),
            other => Err(Instead {
                what: other.describe(self.program),
                is_undefined: matches!(other, Outcome::Undefined { .. }),
                is_interrupted: matches!(other, Outcome::Cancelled),
            }),
        };
        (found, steps)
    }

    /// Whether an execution with the choices ends at the error edge.
    pub(crate) fn arrives(&self, script: Script, error: EdgeRef, limits: &Limits) -> bool {
        self.attempt(script, Locals::Chosen, self.most_steps(), error, false, limits).0.is_ok()
    }

    fn listed(&self, script: Script, locals: Locals) -> Listed<'p> {
        Listed {
            others: Seeded::new(script.others),
            origin: self.origin,
            script,
            locals,
            matters: false,
            inputs: Vec::new(),
            writes: Vec::new(),
            orders: Vec::new(),
            failures: Vec::new(),
            heap: Vec::new(),
            asked: false,
            program: self.program,
        }
    }

    fn run<O: Observer>(
        &self,
        source: &mut Listed<'_>,
        observer: O,
        most: u64,
        limits: &Limits,
    ) -> Result<(Outcome, u64), String> {
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        // What was found is worth some memory more; the watchdog looks after that.
        let (cancel, stop) = (Some(&*limits.cancel), || limits.look() == Err(Stopped::Timeout));
        // The stack has no end; what has no memory to be stored in ends the execution.
        let max_stack = u64::MAX;
        let config =
            Config { max_steps: Some(most), max_stack, cancel, stop: Some(Stopper(&stop)), ..Config::default() };
        let mut machine = Machine::new(self.program, &self.code, config, source, observer, streams)
            .map_err(|error| error.to_string())?;
        let outcome = machine.run();
        Ok((outcome, machine.steps()))
    }
}

/// The sort of a value of this type.
fn kind_of(ty: Ty) -> ValueKind {
    match ty {
        Ty::Int(bits) => ValueKind::Int(bits),
        Ty::F32 => ValueKind::Float,
        Ty::F64 => ValueKind::Double,
        Ty::F80 => ValueKind::LongDouble,
        Ty::Ptr => ValueKind::Pointer,
    }
}

/// Hands out the choices; a request that the engine did not foresee gets zero.
struct Listed<'p> {
    program: &'p Program,
    origin: Option<&'p Origin>,
    others: Seeded,
    script: Script,
    /// What local variables without a value hold.
    locals: Locals,
    /// Whether one of them is not zero.
    matters: bool,
    inputs: Vec<Assignment>,
    writes: Vec<Write>,
    orders: Vec<Place>,
    failures: Vec<Place>,
    heap: Vec<Allocation>,
    /// Whether the last of these is a call that has not given an object, and fails unless it does.
    asked: bool,
}

impl Listed<'_> {
    /// What a local variable without a value holds, instead of what was chosen for it.
    fn set_local(&mut self, bytes: &mut [u8]) {
        match self.locals {
            Locals::Zero => bytes.fill(0),
            Locals::Pattern => bytes.fill(Locals::PATTERN),
            Locals::Chosen => {}
        }
        self.matters |= bytes.iter().any(|&byte| byte != 0);
    }

    /// Content of an object that begins to live.
    fn put_fresh(&mut self, bytes: &mut [u8]) {
        if !bytes.is_empty()
            && let Some(known) = self.script.fresh.pop_front()
        {
            put(&known, bytes);
        }
    }

    /// Writes down what a function without a body wrote.
    fn written(&mut self, request: Request, bytes: &[u8]) {
        let (function, argument) = match request.source {
            HavocSource::Written(function, argument) => (function, argument),
            HavocSource::External(function) => (function, 0),
            // What a function gets that is checked without `main`.
            HavocSource::Input if Some(request.at.function) == self.program.main => (request.at.function, 0),
            _ => return,
        };
        let edge = self.program.functions[request.at.function].edge(request.at.edge);
        let to = match edge.op {
            Op::HavocMem { addr, .. } => show::expr(self.program, addr),
            _ => "memory".to_owned(),
        };
        let function = self.program.functions[function].name.to_string();
        self.writes.push(Write { function, argument, to, bytes: bytes.to_vec(), pos: place(edge.pos) });
    }
}

impl Inputs for Listed<'_> {
    fn value(&mut self, request: Request) -> u128 {
        let value = match self.script.values.front() {
            Some(&(edge, value)) if edge == request.at => {
                self.script.values.pop_front();
                value.unwrap_or(0)
            }
            _ if self.script.others == 0 || request.ty == Ty::Ptr => 0,
            _ => self.others.value(request),
        };
        let value = match (request.source, self.locals) {
            (HavocSource::Uninit, Locals::Zero) => 0,
            (HavocSource::Uninit, Locals::Pattern) => {
                u128::from_le_bytes([Locals::PATTERN; 16]) & (u128::MAX >> (128 - request.ty.bits(request.model)))
            }
            _ => value,
        };
        self.matters |= request.source == HavocSource::Uninit && value != 0;
        let external = match request.source {
            HavocSource::External(function) => Some(self.program.functions[function].name.to_string()),
            _ => None,
        };
        if request.source == HavocSource::Allocation {
            let by = allocator(self.program, request.at);
            self.asked = by.is_some();
            self.heap.extend(by.map(|by| Allocation { by, content: None }));
        }
        let places = match request.source {
            HavocSource::Order => Some(&mut self.orders),
            HavocSource::Allocation => Some(&mut self.failures),
            _ => None,
        };
        if let Some(places) = places.filter(|_| value != 0) {
            let pos = place(self.program.functions[request.at.function].edge(request.at.edge).pos);
            if !places.contains(&pos) {
                places.push(pos);
            }
        }
        let unmodelled = request.source == HavocSource::Unmodelled;
        if request.source == HavocSource::Input || external.is_some() || unmodelled {
            let edge = self.program.functions[request.at.function].edge(request.at.edge);
            let (name, signed) = match edge.op {
                Op::Havoc { var, .. } => (self.program.vars[var].name.to_string(), self.program.vars[var].signed),
                _ => ("input".to_owned(), true),
            };
            let bits = request.ty.bits(request.model);
            let text = match request.ty {
                Ty::F32 => f32::from_bits(value as u32).to_string(),
                Ty::F64 => f64::from_bits(value as u64).to_string(),
                Ty::F80 => robusto_cfa::ir::extended::text(value),
                _ if signed && bits <= 64 => robusto_cfa::ir::fold::signed(bits, value as u64).to_string(),
                _ => value.to_string(),
            };
            let function = self.program.functions[request.at.function].name.to_string();
            self.inputs.push(Assignment {
                name,
                value: text,
                bits: value,
                kind: kind_of(request.ty),
                pos: place(edge.pos),
                function,
                external,
                unmodelled,
            });
        }
        value
    }

    fn fill(&mut self, request: Request, bytes: &mut [u8]) {
        bytes.fill(0);
        if self.script.fills.front().is_some_and(|(edge, _)| *edge == request.at)
            && let Some((_, known)) = self.script.fills.pop_front()
        {
            put(&known, bytes);
        }
        if request.source == HavocSource::Uninit {
            self.set_local(bytes);
        }
        self.written(request, bytes);
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        self.put_fresh(bytes);
        self.set_local(bytes);
    }

    fn outside(&mut self) -> Vec<(u64, u8)> {
        self.script.outside.clone()
    }

    fn fresh_local(&mut self, function: FuncId, bytes: &mut [u8]) {
        if self.origin.is_none_or(|origin| origin.has(function)) {
            self.put_fresh(bytes);
        }
        self.set_local(bytes);
    }

    fn fresh_heap(&mut self, at: EdgeRef, bytes: &mut [u8]) {
        if self.origin.is_none_or(|origin| origin.allocates(at)) {
            self.put_fresh(bytes);
        }
        for held in self.script.held.iter().filter(|held| held.at == at) {
            let value = &held.value.to_le_bytes()[..held.size.min(16) as usize];
            if let Some(place) = bytes.get_mut(held.offset as usize..).filter(|place| place.len() >= value.len()) {
                place[..value.len()].copy_from_slice(value);
            }
        }
        let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if let (true, Some(allocation)) = (allocator(self.program, at).is_some(), self.heap.last_mut()) {
            allocation.content = Some(bytes[..len].to_vec());
        }
    }

    fn allocated(&mut self, at: EdgeRef) {
        // One that may fail has been written down when it was asked whether it does.
        let asked = std::mem::take(&mut self.asked);
        match self.heap.last_mut() {
            Some(allocation) if asked => allocation.content = Some(Vec::new()),
            _ => self.heap.extend(allocator(self.program, at).map(|by| Allocation { by, content: Some(Vec::new()) })),
        }
    }
}

/// The function of the library that an edge stands for, if it allocates on the heap, or an edge in the same place does: the call
/// itself, or the one in its model.
fn allocator(program: &Program, at: EdgeRef) -> Option<Allocator> {
    let function = &program.functions[at.function];
    let edge = function.edge(at.edge);
    let zeroed = |edge: &Edge| match edge.op {
        Op::Alloc { kind: AllocKind::Heap, zeroed, .. } => Some(zeroed),
        _ => None,
    };
    let zeroed = match edge.op {
        Op::Alloc { .. } => zeroed(edge)?,
        _ => function.edges().iter().filter(|other| other.pos == edge.pos).find_map(zeroed)?,
    };
    let Some(model) = program.files.get(usize::from(edge.pos.file))?.strip_prefix("<models/") else {
        return Some(if zeroed { Allocator::Calloc } else { Allocator::Malloc });
    };
    Some(match model {
        "stdlib/realloc.c>" => Allocator::Realloc,
        "stdlib/aligned.c>" => Allocator::Aligned,
        "string/strdup.c>" => Allocator::Strdup,
        _ => Allocator::Other,
    })
}

fn put(known: &[u8], bytes: &mut [u8]) {
    let len = known.len().min(bytes.len());
    bytes[..len].copy_from_slice(&known[..len]);
}
