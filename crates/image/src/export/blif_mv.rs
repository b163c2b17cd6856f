//! BLIF-MV, as VIS reads it (Kukimoto: *BLIF-MV*, University of California at Berkeley, 1996): latches and tables.
//!
//! The counter is one variable of many values, everything else is bits: a table for each conjunction, a table that tells for
//! each location whether the counter is there, and for each location where its exits lead.

use super::System;
use super::system::COUNTER;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use robusto_logic::blast::Blaster;
use robusto_logic::blast::aig::Lit;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The system as a file.
pub(super) fn write(system: &mut System, limits: &Limits) -> Result<String, Stopped> {
    let mut gates = Blaster::default();
    let mut bits = |system: &mut System, t: Term| -> Result<Vec<Lit>, Stopped> {
        gates.blast(&mut system.terms, t, limits)?;
        Ok(gates.bits(&system.terms, t).to_vec())
    };
    let mut inputs = Vec::new();
    for number in 0..system.inputs.len() {
        inputs.push(bits(system, system.inputs[number].symbol)?);
    }
    let mut states = Vec::new();
    for number in 0..system.variables.len() {
        states.push(bits(system, system.variables[number].symbol)?);
    }
    // By location, its exits.
    let mut exits: Vec<Vec<BitExit>> = Vec::new();
    for from in 0..system.exits.len() {
        let mut block = Vec::new();
        for number in 0..system.exits[from].len() {
            let exit = system.exits[from][number].clone();
            let assign: Result<_, Stopped> =
                exit.assign.iter().map(|&(variable, value)| Ok((variable, bits(system, value)?))).collect();
            block.push(BitExit { guard: bits(system, exit.guard)?[0], to: exit.to, assign: assign? });
        }
        block.retain(|exit| exit.guard != Lit::FALSE);
        exits.push(block);
    }
    let aig = &mut gates.aig;
    let at: Vec<Lit> = system.locations.iter().map(|_| aig.input()).collect();
    let mut next = states.clone();
    for (block, &at) in exits.iter().zip(&at) {
        for exit in block {
            let taken = aig.and(at, exit.guard);
            for (variable, value) in &exit.assign {
                for (next, &value) in next[*variable].iter_mut().zip(value) {
                    *next = aig.mux(taken, value, *next);
                }
            }
        }
    }
    let mut names: FxHashMap<usize, String> = FxHashMap::default();
    let leaves = system.inputs.iter().map(|i| &i.name).zip(&inputs);
    for (name, own) in leaves.chain(system.variables.iter().map(|v| &v.name).zip(&states)) {
        own.iter().enumerate().for_each(|(bit, lit)| drop(names.insert(lit.node(), format!("{name}[{bit}]"))));
    }
    at.iter().enumerate().for_each(|(location, lit)| drop(names.insert(lit.node(), format!("at_{location}"))));
    let mut writer = Writer { gates: &gates, names, text: String::new() };
    writer.head(system, &inputs);
    writer.states(system, &next, &states);
    writer.counter(system, &exits);
    let guards = exits.iter().flatten().map(|exit| exit.guard);
    let roots: Vec<Lit> = next.into_iter().flatten().chain(guards).collect();
    writer.conjunctions(&roots);
    writer.text += ".end\n";
    Ok(writer.text)
}

struct BitExit {
    guard: Lit,
    to: usize,
    assign: Vec<(usize, Vec<Lit>)>,
}

struct Writer<'g> {
    gates: &'g Blaster,
    /// Of leaves, by node.
    names: FxHashMap<usize, String>,
    text: String,
}

impl Writer<'_> {
    fn put(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn name(&self, lit: Lit) -> String {
        self.names.get(&lit.node()).cloned().unwrap_or_else(|| format!("n{}", lit.node()))
    }

    /// The value that a variable has where a literal holds.
    fn holds(lit: Lit) -> u8 {
        u8::from(!lit.is_negated())
    }

    fn head(&mut self, system: &System, inputs: &[Vec<Lit>]) {
        for (number, location) in system.locations.iter().enumerate() {
            writeln!(self.text, "# {COUNTER} = {number}: {}", location.meaning).expect("a string takes all");
        }
        let words = system.variables.iter().map(|v| (&v.name, &v.meaning));
        for (name, meaning) in words.chain(system.inputs.iter().map(|i| (&i.name, &i.meaning))) {
            writeln!(self.text, "# {name}: {meaning}").expect("a string takes all");
        }
        self.put(".model main");
        let all: Vec<Lit> = inputs.iter().flatten().copied().collect();
        for input in all {
            let line = format!(".inputs {}", self.name(input));
            self.put(&line);
        }
        for (_, name) in system.bad() {
            self.put(&format!(".outputs {name}"));
        }
    }

    /// A latch for each bit of a variable.
    fn states(&mut self, system: &System, next: &[Vec<Lit>], states: &[Vec<Lit>]) {
        for ((variable, next), own) in system.variables.iter().zip(next).zip(states) {
            for (bit, (&next, &own)) in next.iter().zip(own).enumerate() {
                let name = self.name(own);
                self.put(&format!(".latch {name}.next {name}"));
                let start = match variable.start {
                    Some(start) => (start >> bit & 1).to_string(),
                    None => "-".to_owned(),
                };
                self.put(&format!(".reset {name}\n{start}"));
                if next.is_constant() {
                    self.put(&format!(".table {name}.next\n{}", u8::from(next == Lit::TRUE)));
                } else {
                    let (from, holds) = (self.name(next), Self::holds(next));
                    self.put(&format!(".table {from} -> {name}.next\n{holds} 1\n{} 0", 1 - holds));
                }
            }
        }
    }

    /// The counter, what is asked about it, and where it goes: from each location to where the open exit leads, chosen in a row
    /// of tables, one for each location.
    fn counter(&mut self, system: &System, exits: &[Vec<BitExit>]) {
        let count = system.locations.len().max(2);
        self.put(&format!(".mv {COUNTER}, {COUNTER}.next {count}"));
        self.put(&format!(".latch {COUNTER}.next {COUNTER}\n.reset {COUNTER}\n0"));
        for location in 0..system.locations.len() {
            self.put(&format!(".table {COUNTER} -> at_{location}\n.default 0\n{location} 1"));
        }
        for (location, name) in system.bad() {
            self.put(&format!(".table {COUNTER} -> {name}\n.default 0\n{location} 1"));
        }
        let mut rest = COUNTER.to_owned();
        for (from, block) in exits.iter().enumerate() {
            let Some((last, others)) = block.split_last() else { continue };
            self.put(&format!(".mv go_{from}, to_{from} {count}"));
            if others.is_empty() {
                self.put(&format!(".table go_{from}\n{}", last.to));
            } else {
                let guards: Vec<String> = others.iter().map(|exit| self.name(exit.guard)).collect();
                self.put(&format!(".table {} -> go_{from}\n.default {}", guards.join(" "), last.to));
                for (number, exit) in others.iter().enumerate() {
                    let mut row: Vec<String> = vec!["-".to_owned(); others.len()];
                    row[number] = Self::holds(exit.guard).to_string();
                    self.put(&format!("{} {}", row.join(" "), exit.to));
                }
            }
            if rest == COUNTER {
                self.put(&format!(".table {COUNTER} go_{from} -> to_{from}"));
                self.put(&format!(".default ={COUNTER}\n{from} - =go_{from}"));
            } else {
                self.put(&format!(".table {COUNTER} go_{from} {rest} -> to_{from}"));
                self.put(&format!(".default ={rest}\n{from} - - =go_{from}"));
            }
            rest = format!("to_{from}");
        }
        self.put(&format!(".table {rest} -> {COUNTER}.next\n- ={rest}"));
    }

    /// A table for each conjunction that something depends on.
    fn conjunctions(&mut self, roots: &[Lit]) {
        let aig = &self.gates.aig;
        let mut used = vec![false; aig.len()];
        roots.iter().for_each(|lit| used[lit.node()] = true);
        for node in (1..aig.len()).rev() {
            if used[node]
                && let Some((a, b)) = aig.conjunction(node)
            {
                used[a.node()] = true;
                used[b.node()] = true;
            }
        }
        for (node, _) in used.iter().enumerate().filter(|(_, is_used)| **is_used) {
            if let Some((a, b)) = aig.conjunction(node) {
                let line = format!(
                    ".table {} {} -> n{node}\n.default 0\n{} {} 1",
                    self.name(a),
                    self.name(b),
                    Self::holds(a),
                    Self::holds(b)
                );
                self.put(&line);
            }
        }
    }
}
