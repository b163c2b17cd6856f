//! A counterexample for the page: what an edge does is said once, a step refers to it.

use super::data::Spot;
use robusto_verdict::{Counterexample, StepKind, Target, TraceLine};
use serde::Serialize;
use std::collections::HashMap;

/// An execution.
#[derive(Serialize)]
pub struct Execution<'r> {
    inputs: Vec<Input<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writes: Vec<Written<'r>>,
    /// Places at which operands are evaluated in another order than the usual one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    orders: Vec<Spot>,
    /// Names of variables.
    names: Vec<&'r str>,
    ops: Vec<Operation<'r>>,
    steps: Vec<Step<'r>>,
    /// For each step, the states of the graph in which the execution is before it; an empty list means the same ones as before.
    pub way: Vec<Vec<u32>>,
}

#[derive(Serialize)]
struct Input<'r> {
    value: &'r str,
    at: Option<Spot>,
    #[serde(rename = "fn")]
    function: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'r str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unmodelled: bool,
}

#[derive(Serialize)]
struct Written<'r> {
    #[serde(rename = "fn")]
    function: &'r str,
    to: &'r str,
    bytes: String,
    at: Option<Spot>,
}

/// What an edge does.
#[derive(Serialize)]
struct Operation<'r> {
    at: Option<Spot>,
    #[serde(rename = "fn")]
    function: &'r str,
    text: &'r str,
    kind: &'static str,
    /// Function and edge, by their numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<(u32, u32)>,
}

/// Number of the operation, pending calls, whether it matters, what is changed, what is read, what is stored.
#[derive(Serialize)]
struct Step<'r>(usize, usize, u8, Vec<(usize, &'r str)>, Vec<(usize, &'r str)>, Option<Cell<'r>>);

/// Name, value, address, size.
#[derive(Serialize)]
struct Cell<'r>(usize, &'r str, u64, u64);

fn kind(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Input => "input",
        StepKind::Uninitialised => "uninitialised",
        StepKind::Undefined => "undefined",
        StepKind::Branch(true) => "true",
        StepKind::Branch(false) => "false",
        StepKind::Call => "call",
        StepKind::Return => "return",
        StepKind::Error => "error",
        StepKind::Other => "step",
    }
}

/// An execution with its last step, the violation.
pub fn execution<'r>(cex: &'r Counterexample, target: &'r Target) -> Execution<'r> {
    let mut names = Names::default();
    let mut ops: Vec<Operation<'r>> = Vec::new();
    let mut known: HashMap<(Option<(u32, u32)>, &str, &'static str), usize> = HashMap::new();
    let mut steps = Vec::with_capacity(cex.trace.len() + 1);
    for line in &cex.trace {
        let (edge, kind) = (line.at.map(|at| (at.function, at.edge)), kind(line.kind));
        let number = *known.entry((edge, &line.operation, kind)).or_insert_with(|| {
            ops.push(Operation { at: Spot::of(line.pos), function: &line.function, text: &line.operation, kind, edge });
            ops.len() - 1
        });
        let changes = names.pairs(changes(line));
        let reads = names.pairs(line.reads.iter());
        let stored =
            line.memory.as_ref().map(|cell| Cell(names.number(&cell.name), &cell.value, cell.address, cell.size));
        steps.push(Step(number, line.depth, line.matters.into(), changes, reads, stored));
    }
    if !cex.trace.last().is_some_and(|last| last.kind == StepKind::Error) {
        let (at, edge) = (Spot::of(target.pos), Some((target.edge.function, target.edge.edge)));
        let last = cex.trace.last();
        let function = last.map_or("", |last| &last.function);
        ops.push(Operation { at, function, text: &target.name, kind: "error", edge });
        steps.push(Step(ops.len() - 1, last.map_or(0, |last| last.depth), 1, Vec::new(), Vec::new(), None));
    }
    Execution {
        inputs: cex
            .inputs
            .iter()
            .map(|i| Input {
                value: &i.value,
                at: Spot::of(i.pos),
                function: &i.function,
                external: i.external.as_deref(),
                unmodelled: i.unmodelled,
            })
            .collect(),
        writes: cex
            .writes
            .iter()
            .map(|w| Written {
                function: &w.function,
                to: &w.to,
                bytes: w.bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" "),
                at: Spot::of(w.pos),
            })
            .collect(),
        orders: cex.orders.iter().filter_map(|&pos| Spot::of(pos)).collect(),
        names: names.list,
        ops,
        steps,
        way: Vec::new(),
    }
}

/// What a step changes that the user knows.
fn changes(line: &TraceLine) -> impl Iterator<Item = &(String, String)> {
    line.change.iter().filter(|_| !line.temporary).chain(&line.parameters)
}

/// Names of variables by number.
#[derive(Default)]
struct Names<'r> {
    list: Vec<&'r str>,
    numbers: HashMap<&'r str, usize>,
}

impl<'r> Names<'r> {
    fn pairs(&mut self, pairs: impl Iterator<Item = &'r (String, String)>) -> Vec<(usize, &'r str)> {
        pairs.map(|(name, value)| (self.number(name), value.as_str())).collect()
    }

    fn number(&mut self, name: &'r str) -> usize {
        let list = &mut self.list;
        *self.numbers.entry(name).or_insert_with(|| {
            list.push(name);
            list.len() - 1
        })
    }
}
