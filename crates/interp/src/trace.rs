//! A trace of an execution as text.

use crate::machine::View;
use crate::observer::{Change, Observer};
use crate::outcome::EdgeRef;
use crate::show;
use robusto_cfa::ir::{FuncId, HavocSource, Op};
use std::io::Write;

/// Writes a line for each step: `file:line`, what the edge does, and what it has changed. Calls indent.
pub struct Trace<W> {
    out: W,
    error: Option<std::io::Error>,
}

impl<W> std::fmt::Debug for Trace<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<W: Write> Trace<W> {
    /// A trace to a writer.
    pub fn new(out: W) -> Self {
        Self { out, error: None }
    }

    /// The first error of the writer, if there was one.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()?;
        self.error.map_or(Ok(()), Err)
    }

    fn line(&mut self, view: &View<'_>, depth: usize, place: &str, text: &str) {
        if self.error.is_none() {
            let steps = view.steps;
            // A recursion that indents without end is unreadable.
            let indent = 2 * depth.min(20);
            self.error = writeln!(self.out, "{steps:>6} {place:<24} {:indent$}{text}", "").err();
        }
    }
}

/// Most bytes of memory whose content is shown.
const SHOWN: u64 = 16;

impl<W: Write> Observer for Trace<W> {
    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        let program = view.program;
        let edge = program.functions[at.function].edge(at.edge);
        // Calls and returns have their own lines.
        if matches!(edge.op, Op::Call { .. } | Op::Return { .. }) {
            return;
        }
        let mut text = show::op(program, &edge.op);
        match change {
            Change::None => {}
            Change::Var(var) => {
                let info = &program.vars[var];
                if let Some(bits) = view.var(var) {
                    let value = show::value(program, view.memory, info.ty, info.signed, bits);
                    text.push_str(&format!("    {} := {value}", info.name));
                }
            }
            Change::Memory { addr, size } => {
                let target = show::pointer(program, view.memory, addr);
                text.push_str(&format!("    {target} := {}", content(view, addr, size, &edge.op)));
            }
        }
        self.line(view, view.depth, &place(view, at), &text);
    }

    fn call(&mut self, view: &View<'_>, function: FuncId) {
        let program = view.program;
        let callee = &program.functions[function];
        let params: Vec<String> = callee
            .params
            .iter()
            .map(|&var| {
                let info = &program.vars[var];
                let bits = view.var(var).unwrap_or(0);
                format!("{} = {}", info.name, show::value(program, view.memory, info.ty, info.signed, bits))
            })
            .collect();
        let place = short(&show::position(program, callee.pos));
        self.line(view, view.depth.saturating_sub(1), &place, &format!("call {}({})", callee.name, params.join(", ")));
    }

    fn ret(&mut self, view: &View<'_>, function: FuncId, value: Option<u128>) {
        let program = view.program;
        let callee = &program.functions[function];
        let value = match (value, callee.ret) {
            (Some(bits), Some(ty)) => format!(" with {}", show::value(program, view.memory, ty, true, bits)),
            _ => String::new(),
        };
        let place = short(&show::position(program, callee.pos));
        self.line(view, view.depth.saturating_sub(1), &place, &format!("return from {}{value}", callee.name));
    }

    fn input(&mut self, _: EdgeRef, _: HavocSource, _: Option<u128>) {}
}

fn place(view: &View<'_>, at: EdgeRef) -> String {
    let edge = view.program.functions[at.function].edge(at.edge);
    short(&show::position(view.program, edge.pos))
}

/// `dir/file:line:column` without directory and column.
fn short(position: &str) -> String {
    let name = position.rsplit('/').next().unwrap_or(position);
    let mut parts = name.splitn(3, ':');
    match (parts.next(), parts.next()) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => name.to_owned(),
    }
}

fn content(view: &View<'_>, addr: u64, size: u64, op: &Op) -> String {
    let bytes = view.memory.bytes(addr, size).unwrap_or_default();
    if let Op::Store { value, .. } = op {
        let mut word = [0; 16];
        let length = bytes.len().min(16);
        word[..length].copy_from_slice(&bytes[..length]);
        let ty = view.program.exprs.ty(*value);
        return show::value(view.program, view.memory, ty, true, u128::from_le_bytes(word));
    }
    let shown: Vec<String> = bytes.iter().take(SHOWN as usize).map(|byte| format!("{byte:02x}")).collect();
    let more = if size > SHOWN { format!(" … ({size} bytes)") } else { String::new() };
    format!("{{{}{more}}}", shown.join(" "))
}
