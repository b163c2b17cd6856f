//! Runs a list of operations and says what they cost, as JSON: `cargo run --release -p robusto-diagram --example trace FILE`.
//!
//! The lists come from `scripts/diagrams-vs-others`, which hands the same ones to other packages. A line is an instruction:
//!
//! | line | meaning |
//! |---|---|
//! | `vars n` | there are n variables |
//! | `group v…` | these variables stay together |
//! | `var r v`, `cube r v…`, `const r 0` | register r becomes a variable, a conjunction of variables, a constant |
//! | `and r a b`, `or`, `xor`, `not r a`, `ite r c a b` | connectives on registers |
//! | `exists r a c`, `andexists r a b c` | quantification over the cube in register c |
//! | `renaming k a:b …`, `rename r a k` | replaces variables a by b |
//! | `copy r a`, `drop r` | |
//! | `label`, `until a b` | goes back to the label unless both registers are equal |
//! | `sift` | improves the order |
//! | `result r`, `sifted r` | prints the number of nodes |

use std::time::Instant;

use robusto_diagram::{Bdd, Diagrams, Full, Renaming, Reordering, StoreSize, VarIndex};

enum Instruction {
    Group(Vec<VarIndex>),
    Var(usize, VarIndex),
    Cube(usize, Vec<VarIndex>),
    Const(usize, bool),
    And(usize, usize, usize),
    Or(usize, usize, usize),
    Xor(usize, usize, usize),
    Not(usize, usize),
    Ite(usize, usize, usize, usize),
    Exists(usize, usize, usize),
    AndExists(usize, usize, usize, usize),
    Renaming(Vec<(VarIndex, VarIndex)>),
    Rename(usize, usize, usize),
    Copy(usize, usize),
    Drop(usize),
    Label,
    Until(usize, usize),
    Sift,
    Result(usize),
    Sifted(usize),
}

fn main() -> Result<(), Full> {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let mut lines = text.lines();
    let variables = lines.next().and_then(|line| line.strip_prefix("vars ")).expect("the number of variables");
    let program: Vec<Instruction> = lines.map(|line| parse(line).expect("an instruction")).collect();
    let before = memory("VmRSS:");
    let (start, cpu) = (Instant::now(), cpu());
    let diagrams = Diagrams::new(variables.parse().expect("a number"), StoreSize::default());
    let Outcome { operations, sifting, results, sifted } = run(&diagrams, &program)?;
    let seconds = self::cpu().zip(cpu).map_or(start.elapsed().as_secs_f64(), |(end, start)| end - start);
    let statistics = diagrams.statistics();
    println!(
        "{{\"seconds\": {seconds:.4}, \"sifting\": {sifting:.4}, \"operations\": {operations}, \"memory\": {:.1}, \
         \"results\": {results:?}, \"sifted\": {sifted:?}, \"nodes\": {}, \"swaps\": {}}}",
        memory("VmHWM:") - before,
        statistics.peak_nodes,
        statistics.swaps,
    );
    Ok(())
}

/// A line of `/proc/self/status` in megabytes.
fn memory(what: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// Processor time so far in seconds, where the system tells.
fn cpu() -> Option<f64> {
    let times = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(times.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn parse(line: &str) -> Option<Instruction> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    if name == "renaming" {
        let pair = |pair: &str| {
            let (old, new) = pair.split_once(':')?;
            Some((VarIndex::new(old.parse().ok()?), VarIndex::new(new.parse().ok()?)))
        };
        return rest.split(' ').skip(1).map(pair).collect::<Option<_>>().map(Instruction::Renaming);
    }
    let numbers: Vec<usize> = rest.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let var = |&index: &usize| VarIndex::new(index as u32);
    Some(match (name, &*numbers) {
        ("group", vars) => Instruction::Group(vars.iter().map(var).collect()),
        ("var", [r, v]) => Instruction::Var(*r, var(v)),
        ("cube", [r, vars @ ..]) => Instruction::Cube(*r, vars.iter().map(var).collect()),
        ("const", &[r, value]) => Instruction::Const(r, value != 0),
        ("and", &[r, a, b]) => Instruction::And(r, a, b),
        ("or", &[r, a, b]) => Instruction::Or(r, a, b),
        ("xor", &[r, a, b]) => Instruction::Xor(r, a, b),
        ("not", &[r, a]) => Instruction::Not(r, a),
        ("ite", &[r, c, a, b]) => Instruction::Ite(r, c, a, b),
        ("exists", &[r, a, c]) => Instruction::Exists(r, a, c),
        ("andexists", &[r, a, b, c]) => Instruction::AndExists(r, a, b, c),
        ("rename", &[r, a, k]) => Instruction::Rename(r, a, k),
        ("copy", &[r, a]) => Instruction::Copy(r, a),
        ("drop", &[r]) => Instruction::Drop(r),
        ("label", []) => Instruction::Label,
        ("until", &[a, b]) => Instruction::Until(a, b),
        ("sift", []) => Instruction::Sift,
        ("result", &[r]) => Instruction::Result(r),
        ("sifted", &[r]) => Instruction::Sifted(r),
        _ => return None,
    })
}

/// What a program did.
#[derive(Default)]
struct Outcome {
    operations: usize,
    /// Processor time of sifting in seconds.
    sifting: f64,
    /// Nodes of the results, and of those after sifting.
    results: Vec<usize>,
    sifted: Vec<usize>,
}

/// Runs a program.
fn run(d: &Diagrams, program: &[Instruction]) -> Result<Outcome, Full> {
    let mut registers: Vec<Bdd> = Vec::new();
    let mut renamings: Vec<Renaming> = Vec::new();
    let (mut outcome, mut label, mut next) = (Outcome::default(), 0, 0);
    while let Some(instruction) = program.get(next) {
        next += 1;
        outcome.operations += 1;
        let r = &registers;
        let (register, value) = match instruction {
            Instruction::Var(to, var) => (*to, d.var(*var)?),
            Instruction::Cube(to, vars) => (*to, d.cube(vars)?),
            Instruction::Const(to, value) => (*to, d.constant(*value)),
            Instruction::And(to, a, b) => (*to, d.and(&r[*a], &r[*b])?),
            Instruction::Or(to, a, b) => (*to, d.or(&r[*a], &r[*b])?),
            Instruction::Xor(to, a, b) => (*to, d.xor(&r[*a], &r[*b])?),
            Instruction::Not(to, a) => (*to, d.not(&r[*a])?),
            Instruction::Ite(to, c, a, b) => (*to, d.ite(&r[*c], &r[*a], &r[*b])?),
            Instruction::Exists(to, a, cube) => (*to, d.exists(&r[*a], &r[*cube])?),
            Instruction::AndExists(to, a, b, cube) => (*to, d.and_exists(&r[*a], &r[*b], &r[*cube])?),
            Instruction::Rename(to, a, renaming) => (*to, d.rename(&r[*a], &renamings[*renaming])?),
            Instruction::Copy(to, a) => (*to, r[*a].clone()),
            Instruction::Drop(to) => (*to, d.bottom()),
            Instruction::Group(vars) => {
                d.group(vars);
                continue;
            }
            Instruction::Renaming(pairs) => {
                renamings.push(d.renaming(pairs)?);
                continue;
            }
            Instruction::Label => {
                label = next;
                continue;
            }
            Instruction::Until(a, b) => {
                if r[*a] != r[*b] {
                    next = label;
                }
                continue;
            }
            Instruction::Sift => {
                let begin = cpu();
                d.sift(&Reordering::default());
                outcome.sifting += cpu().zip(begin).map_or(0.0, |(end, begin)| end - begin);
                continue;
            }
            Instruction::Result(a) => {
                outcome.results.push(d.node_count(&r[*a]));
                continue;
            }
            Instruction::Sifted(a) => {
                outcome.sifted.push(d.node_count(&r[*a]));
                continue;
            }
        };
        if registers.len() <= register {
            registers.resize(register + 1, d.bottom());
        }
        registers[register] = value;
    }
    Ok(outcome)
}
