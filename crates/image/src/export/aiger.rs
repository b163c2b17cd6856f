//! AIGER 1.9 (Biere, Heljanko, Wieringa: *AIGER 1.9 and beyond*, FMV report 11/2): latches, inputs and conjunctions.
//!
//! Latches are the bits of the counter and then those of the variables, the lowest first; a latch that is its own reset value
//! starts with any. Each bad location is a bad state of its own, with its name in the table of symbols.

use super::System;
use super::system::COUNTER;
use robusto_limits::{Limits, Stopped};
use robusto_logic::Term;
use robusto_logic::blast::Blaster;
use robusto_logic::blast::aig::Lit;
use std::fmt::Write as _;

/// The system as a file, binary or as text.
pub(super) fn write(system: &mut System, binary: bool, limits: &Limits) -> Result<Vec<u8>, Stopped> {
    let (counter, next) = system.next();
    let mut gates = Blaster::default();
    let mut bits = |system: &mut System, t: Term| -> Result<Vec<Lit>, Stopped> {
        gates.blast(&mut system.terms, t, limits)?;
        Ok(gates.bits(&system.terms, t).to_vec())
    };
    let mut names = Vec::new();
    let (mut inputs, mut latches, mut nexts, mut resets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for number in 0..system.inputs.len() {
        let own = bits(system, system.inputs[number].symbol)?;
        names
            .extend((0..own.len()).map(|bit| format!("i{} {}[{bit}]", inputs.len() + bit, system.inputs[number].name)));
        inputs.extend(own);
    }
    let own = bits(system, system.counter)?;
    names.extend((0..own.len()).map(|bit| format!("l{bit} {COUNTER}[{bit}]")));
    resets.extend(own.iter().map(|_| Some(false)));
    latches.extend(own);
    nexts.extend(bits(system, counter)?);
    for (number, &after) in next.iter().enumerate() {
        let own = bits(system, system.variables[number].symbol)?;
        let variable = &system.variables[number];
        names.extend((0..own.len()).map(|bit| format!("l{} {}[{bit}]", latches.len() + bit, variable.name)));
        resets.extend((0..own.len()).map(|bit| variable.start.map(|start| start >> bit & 1 == 1)));
        latches.extend(own);
        nexts.extend(bits(system, after)?);
    }
    let mut bad = Vec::new();
    for (location, name) in system.bad() {
        let is_at = system.is_at(location);
        names.push(format!("b{} {name}", bad.len()));
        bad.extend(bits(system, is_at)?);
    }
    let circuit = Circuit { inputs, latches, nexts, resets, bad };
    let mut file = circuit.write(&gates, binary);
    let mut table = String::new();
    names.iter().for_each(|name| writeln!(table, "{name}").expect("a string takes all"));
    table += "c\n";
    comments(system, &mut table);
    file.extend(table.into_bytes());
    Ok(file)
}

/// What names stand for.
fn comments(system: &System, table: &mut String) {
    for (number, location) in system.locations.iter().enumerate() {
        writeln!(table, "{COUNTER} {number}: {}", location.meaning).expect("a string takes all");
    }
    let words = system.variables.iter().map(|v| (&v.name, &v.meaning));
    for (name, meaning) in words.chain(system.inputs.iter().map(|i| (&i.name, &i.meaning))) {
        writeln!(table, "{name}: {meaning}").expect("a string takes all");
    }
}

struct Circuit {
    inputs: Vec<Lit>,
    latches: Vec<Lit>,
    nexts: Vec<Lit>,
    /// By latch, its value at the start.
    resets: Vec<Option<bool>>,
    bad: Vec<Lit>,
}

impl Circuit {
    /// Header, latches, bad states and gates. Gates that nothing depends on are left out.
    fn write(&self, gates: &Blaster, binary: bool) -> Vec<u8> {
        let mut used = vec![false; gates.aig.len()];
        self.nexts.iter().chain(&self.bad).for_each(|lit| used[lit.node()] = true);
        // Operands have smaller numbers.
        for node in (1..gates.aig.len()).rev().filter(|&node| gates.aig.conjunction(node).is_some()) {
            if used[node]
                && let Some((a, b)) = gates.aig.conjunction(node)
            {
                used[a.node()] = true;
                used[b.node()] = true;
            }
        }
        let mut numbers = vec![0_usize; gates.aig.len()];
        let leaves = self.inputs.iter().chain(&self.latches);
        leaves.enumerate().for_each(|(number, lit)| numbers[lit.node()] = number + 1);
        let mut count = self.inputs.len() + self.latches.len();
        let mut conjunctions = Vec::new();
        for node in 1..gates.aig.len() {
            if used[node]
                && let Some(operands) = gates.aig.conjunction(node)
            {
                count += 1;
                numbers[node] = count;
                conjunctions.push(operands);
            }
        }
        let literal = |lit: &Lit| 2 * numbers[lit.node()] + usize::from(lit.is_negated());
        let (inputs, latches) = (self.inputs.len(), self.latches.len());
        let form = if binary { "aig" } else { "aag" };
        let mut text = format!("{form} {count} {inputs} {latches} 0 {} {}\n", conjunctions.len(), self.bad.len());
        let mut line = |words: &[usize]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            writeln!(text, "{}", words.join(" ")).expect("a string takes all");
        };
        if !binary {
            self.inputs.iter().for_each(|input| line(&[literal(input)]));
        }
        for ((latch, next), reset) in self.latches.iter().zip(&self.nexts).zip(&self.resets) {
            let latch = literal(latch);
            let reset = reset.map_or(latch, usize::from);
            if binary { line(&[literal(next), reset]) } else { line(&[latch, literal(next), reset]) }
        }
        self.bad.iter().for_each(|bad| line(&[literal(bad)]));
        let first = 2 * (inputs + latches + 1);
        let ordered = conjunctions.iter().enumerate().map(|(number, (a, b))| {
            let (a, b) = (literal(a), literal(b));
            (first + 2 * number, a.max(b), a.min(b))
        });
        if !binary {
            ordered.for_each(|(gate, high, low)| line(&[gate, high, low]));
            return text.into_bytes();
        }
        let mut file = text.into_bytes();
        for (gate, high, low) in ordered {
            put(&mut file, gate - high);
            put(&mut file, high - low);
        }
        file
    }
}

/// A number in groups of seven bits, the lowest first; the last one has a clear top bit.
fn put(file: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        file.push(number as u8 | 0x80);
        number >>= 7;
    }
    file.push(number as u8);
}
