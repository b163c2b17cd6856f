//! The Boolean program and its engine: no failure, or an execution that fails, as links and calls of the procedures.

use super::names::Names;
use crate::procedures::Procedures;
use robusto_boolprog::ast::File;
use robusto_boolprog::bdd::{Halt, Solver};
use robusto_boolprog::certificate::Proof;
use robusto_boolprog::explicit::{self, Reduction};
use robusto_boolprog::program::{NodeId, Op, ProcId, Program};
use robusto_boolprog::replay::{Machine, Trace};
use robusto_boolprog::{Engine, Facts, Question, Targets, made};
use robusto_limits::{Limits, Progress, Stopped};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What an engine says.
pub enum Checked {
    /// No assertion fails.
    Safe(Program, Option<Proof>),
    /// One does.
    Fails(Vec<Event>),
}

/// What happens in an execution.
#[derive(Clone, Debug)]
pub enum Event {
    /// A link of the procedure on top, with the values of all variables before it, and those that it assigns.
    Link {
        /// Its number.
        link: usize,
        /// Before.
        before: FxHashMap<Rc<str>, bool>,
        /// Behind.
        behind: FxHashMap<Rc<str>, bool>,
    },
    /// A call of the procedure on top, which is entered.
    Enter(usize),
    /// The procedure on top returns.
    Leave,
}

/// What a label stands for.
#[derive(Clone, Copy)]
enum Mark {
    Link(usize),
    Call(usize),
}

/// Checks a Boolean program.
pub fn check(
    file: &File,
    names: &Names,
    procedures: &Procedures<'_>,
    engine: Engine,
    limits: &Limits,
    progress: &Progress,
) -> Result<Checked, Stopped> {
    let program = made(file, "abstraction").map_err(|errors| {
        let first = errors.first().map_or_else(String::new, |error| error.message.clone());
        Stopped::Unsupported(format!("a Boolean program with an error: {first}"))
    })?;
    let targets = Targets::new(&program, &Question::Assert);
    let facts = Facts::new(&program);
    let trace = match engine {
        Engine::Explicit => {
            let explored = explicit::explore(&program, Reduction::live(&program, &facts), &targets, limits, progress)?;
            if explored.violated(&targets).is_none() {
                let proof = explored.proof(&facts);
                return Ok(Checked::Safe(program, proof));
            }
            explored.trace()
        }
        _ => {
            let halted = |halt| match halt {
                Halt::Full(_) => Stopped::Memory,
                Halt::Stopped(stopped) => stopped,
            };
            let mut solver = Solver::new(&program, &facts);
            let Some(goal) = solver.run(&targets, limits, progress).map_err(halted)? else {
                let proof = solver.proof().map_err(halted)?;
                drop(solver);
                drop(facts);
                return Ok(Checked::Safe(program, Some(proof)));
            };
            solver.trace(goal, limits).map_err(halted)?
        }
    };
    let events = trace.and_then(|trace| events(&program, names, procedures, &trace));
    events.map(Checked::Fails).ok_or_else(|| Stopped::Unsupported("an execution of a Boolean program".to_owned()))
}

/// What happens in an execution; `None` if it is none.
fn events(program: &Program, names: &Names, procedures: &Procedures<'_>, trace: &Trace) -> Option<Vec<Event>> {
    // A procedure of its own starts the program if `main` is called again.
    let offset = program.procedures.len() - procedures.list.len();
    let mut marks: FxHashMap<(ProcId, NodeId), Mark> = FxHashMap::default();
    for (number, own) in names.of.iter().enumerate() {
        let id = ProcId((number + offset) as u32);
        let of_links = own.links.iter().enumerate().map(|(i, name)| (name, Mark::Link(i)));
        let of_calls = own.calls.iter().enumerate().map(|(i, name)| (name, Mark::Call(i)));
        let known: FxHashMap<&str, Mark> = of_links.chain(of_calls).map(|(name, mark)| (&**name, mark)).collect();
        for label in &program.procedure(id).labels {
            if let Some(&mark) = known.get(&*label.name) {
                marks.insert((id, label.node), mark);
            }
        }
    }
    let mut machine = Machine::start(program, &trace.start).ok()?;
    let mut events = Vec::new();
    for step in &trace.steps {
        let (id, node) = machine.place()?;
        let values = |machine: &Machine<'_>| {
            let variables = program.procedure(id).variables.iter().enumerate();
            let value = |i: usize| machine.value(robusto_boolprog::program::VarId((program.globals.len() + i) as u32));
            variables.map(|(i, variable)| (Rc::from(&*variable.name), value(i))).collect::<FxHashMap<_, _>>()
        };
        match marks.get(&(id, node)) {
            Some(&Mark::Link(link)) => {
                events.push(Event::Link { link, before: values(&machine), behind: FxHashMap::default() });
            }
            Some(&Mark::Call(call)) => events.push(Event::Enter(call)),
            None => {}
        }
        let op = &machine.edge(step.edge)?.op;
        machine.step(step).ok()?;
        match (op, events.last_mut()) {
            (Op::Assign { targets, .. }, Some(Event::Link { behind, .. })) if !targets.is_empty() => {
                *behind = values(&machine);
            }
            (Op::Return(_), _) => events.push(Event::Leave),
            _ => {}
        }
    }
    Some(events)
}
