//! Replays a counterexample in the interpreter.
//!
//! The interpreter shares nothing with the engines but the automaton. It is given the values that the engine found for
//! the nondeterministic choices, in order, and must arrive at the error edge.

use crate::minimise::minimise;
use crate::property::place;
use crate::recorder::Recorder;
use robusto_cfa::ir::{HavocSource, Op, Program, Ty};
use robusto_interp::inputs::Request;
use robusto_interp::{Code, Config, EdgeRef, Inputs, Machine, Observer, Outcome, Silent, Streams, show};
use robusto_limits::Limits;
use robusto_verdict::{Assignment, Counterexample, Place, ValueKind, Write};
use std::collections::VecDeque;

/// Values for nondeterministic choices: the edge that asks, and the value (any if `None`).
pub type Choices = VecDeque<(EdgeRef, Option<u64>)>;

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
}

impl From<Choices> for Script {
    fn from(values: Choices) -> Self {
        Self { values, ..Self::default() }
    }
}

/// Executes counterexamples of one program.
pub struct Replayer<'p> {
    program: &'p Program,
    code: Code,
}

impl<'p> Replayer<'p> {
    /// Prepares the program.
    pub fn new(program: &'p Program) -> Self {
        Self { program, code: Code::new(program) }
    }

    /// Executes with the choices; the execution, if it ends at the error edge, else what it did instead. The trace is
    /// written down only if it is `wanted`.
    pub fn replay(
        &self,
        script: impl Into<Script>,
        error: EdgeRef,
        wanted: bool,
        limits: &Limits,
    ) -> Result<Counterexample, String> {
        let script = script.into();
        // A trace is for people, and so are its inputs.
        let script = match wanted && self.arrives(script.clone(), error, limits) {
            true => minimise(self, self.program, script, error, limits),
            false => script,
        };
        let mut source =
            Listed { script, inputs: Vec::new(), writes: Vec::new(), orders: Vec::new(), program: self.program };
        let mut recorder = Recorder::new(self.program);
        let outcome =
            if wanted { self.run(&mut source, &mut recorder, limits)? } else { self.run(&mut source, Silent, limits)? };
        match outcome {
            Outcome::ErrorReached { at, .. } | Outcome::Unsupported { at, .. } if at == error => Ok(Counterexample {
                inputs: source.inputs,
                writes: source.writes,
                orders: source.orders,
                trace: recorder.finish(),
            }),
            other => Err(other.describe(self.program)),
        }
    }

    /// Whether an execution with the choices ends at the error edge.
    pub(crate) fn arrives(&self, script: Script, error: EdgeRef, limits: &Limits) -> bool {
        let mut source =
            Listed { script, inputs: Vec::new(), writes: Vec::new(), orders: Vec::new(), program: self.program };
        let outcome = self.run(&mut source, Silent, limits);
        matches!(outcome, Ok(Outcome::ErrorReached { at, .. }) if at == error)
    }

    fn run<O: Observer>(&self, source: &mut Listed<'_>, observer: O, limits: &Limits) -> Result<Outcome, String> {
        let (mut out, mut err) = (std::io::sink(), std::io::sink());
        let streams = Streams { out: &mut out, err: &mut err };
        let (cancel, deadline) = (Some(&*limits.cancel), limits.deadline);
        let config = Config { max_steps: Some(1 << 32), cancel, deadline, ..Config::default() };
        let mut machine = Machine::new(self.program, &self.code, config, source, observer, streams)
            .map_err(|error| error.to_string())?;
        Ok(machine.run())
    }
}

/// The sort of a value of this type.
fn kind_of(ty: Ty) -> ValueKind {
    match ty {
        Ty::Int(bits) => ValueKind::Int(bits),
        Ty::F32 => ValueKind::Float,
        Ty::F64 => ValueKind::Double,
        Ty::Ptr => ValueKind::Pointer,
    }
}

/// Hands out the choices; a request that the engine did not foresee gets zero.
struct Listed<'p> {
    program: &'p Program,
    script: Script,
    inputs: Vec<Assignment>,
    writes: Vec<Write>,
    orders: Vec<Place>,
}

impl Listed<'_> {
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
            _ => 0,
        };
        let external = match request.source {
            HavocSource::External(function) => Some(self.program.functions[function].name.to_string()),
            _ => None,
        };
        if request.source == HavocSource::Order && value != 0 {
            let pos = place(self.program.functions[request.at.function].edge(request.at.edge).pos);
            if !self.orders.contains(&pos) {
                self.orders.push(pos);
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
                Ty::F64 => f64::from_bits(value).to_string(),
                _ if signed && bits <= 64 => robusto_cfa::ir::fold::signed(bits, value).to_string(),
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
        value.into()
    }

    fn fill(&mut self, request: Request, bytes: &mut [u8]) {
        bytes.fill(0);
        if self.script.fills.front().is_some_and(|(edge, _)| *edge == request.at)
            && let Some((_, known)) = self.script.fills.pop_front()
        {
            put(&known, bytes);
        }
        self.written(request, bytes);
    }

    fn fresh(&mut self, bytes: &mut [u8]) {
        if !bytes.is_empty()
            && let Some(known) = self.script.fresh.pop_front()
        {
            put(&known, bytes);
        }
    }
}

fn put(known: &[u8], bytes: &mut [u8]) {
    let len = known.len().min(bytes.len());
    bytes[..len].copy_from_slice(&known[..len]);
}
