//! Candidate predicates from executions: linear equalities that held at a loop head whenever a run came by.
//!
//! Refutations speak of the path that they refute: `x == 3 && y == 3` instead of `x == y`. A few executions with small
//! random inputs tell what relations hold in general; predicate abstraction then finds out which of them do, so nothing
//! rests on the executions. (Invariants from runs: Ernst, Cockrell, Griswold, Notkin: *Dynamically discovering likely program
//! invariants*, ICSE 1999; affine relations: Karr, *Affine relationships among variables of a program*, 1976.)

use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, LocId, Program, Ty, VarId, fold};
use robusto_cpa::control::Location;
use robusto_interp::inputs::Request;
use robusto_interp::{Change, Code, Config, EdgeRef, Inputs, Machine, Observer, Streams, View};
use robusto_logic::{Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Executions. Together they take at most 96,000 steps, about a millisecond of an interpreter that takes some hundred million
/// a second, so that every program can afford them.
const RUNS: u64 = 24;

/// Steps of an execution; a loop that is not left by then goes on as it did.
const STEPS: u64 = 4_000;

/// States kept for each loop head: several times the [`VARIABLES`], so that an equality that holds by chance in some meets one
/// that refutes it. Elimination takes time with the square of the variables and linear in these.
const STATES: usize = 160;

/// Most variables of a loop head that are looked at.
const VARIABLES: usize = 24;

/// Greatest coefficient of an equality. Greater ones come from chance, and cost the solver a multiplication.
const COEFFICIENT: i128 = 8;

/// Most variables of an equality; longer ones say that the runs were few, not what the program does.
const TERMS: usize = 4;

/// Values beyond this are left out: near the ends of the range, sums wrap around. With [`TERMS`] products by at most
/// [`COEFFICIENT`] a sum stays below 2^29.
const RANGE: i64 = 1 << 24;

/// A linear equality: Σ cᵢ·xᵢ + d = 0, over variables of one width.
type Equality = (Vec<(VarId, i128)>, i128);

/// The equalities found at each loop head.
#[derive(Debug, Default)]
pub struct Samples {
    equalities: FxHashMap<Location, Vec<Equality>>,
}

impl Samples {
    /// Executes the program a few times.
    pub fn of(facts: &Facts) -> Self {
        let program = &facts.program;
        let heads: IdxVec<FuncId, IdxVec<LocId, Vec<VarId>>> = program
            .functions
            .enumerate()
            .map(|(id, function)| {
                let forest = LoopForest::of(function);
                let variables = |loc| if forest.is_head(loc) { variables(facts, id, loc) } else { Vec::new() };
                function.locs().map(variables).collect()
            })
            .collect();
        let code = Code::new(program);
        let mut recorder = Recorder { program, heads: &heads, states: BTreeMap::new() };
        for run in 0..RUNS {
            let mut inputs = Small(run);
            let (mut out, mut err) = (std::io::sink(), std::io::sink());
            let streams = Streams { out: &mut out, err: &mut err };
            let config = Config { max_steps: Some(STEPS), ..Config::default() };
            if let Ok(mut machine) = Machine::new(program, &code, config, &mut inputs, &mut recorder, streams) {
                machine.run();
            }
        }
        let found = recorder.states.into_iter().map(|(at, states)| {
            let variables = &heads[at.function][at.loc];
            (at, equalities(program, variables, &states))
        });
        Self { equalities: found.collect() }
    }

    /// The equalities at a location as predicates.
    pub fn predicates(&self, encoder: &mut Encoder<'_>, at: Location) -> Vec<Term> {
        let Some(equalities) = self.equalities.get(&at) else { return Vec::new() };
        let predicate = |(sum, constant): &Equality| {
            let Sort::Bits(width) = encoder.sort(Cell::Var(sum[0].0, 0)) else { return None };
            let mut total = encoder.terms.constant(width, *constant as u128);
            for &(var, coefficient) in sum {
                let input = encoder.input(Cell::Var(var, 0));
                let factor = encoder.terms.constant(width, coefficient as u128);
                let product = encoder.terms.mul(input, factor);
                total = encoder.terms.add(total, product);
            }
            let zero = encoder.terms.constant(width, 0);
            Some(encoder.terms.eq(total, zero))
        };
        equalities.iter().filter_map(predicate).collect()
    }
}

/// The integer variables that matter at a loop head.
fn variables(facts: &Facts, function: FuncId, loc: LocId) -> Vec<VarId> {
    let program = &facts.program;
    if facts.calls.is_recursive(function) {
        return Vec::new();
    }
    let live = facts.liveness.at(function, loc);
    let suits = |&var: &VarId| {
        let info = &program.vars[var];
        matches!(info.ty, Ty::Int(32 | 64)) && info.kind.owner().is_none_or(|owner| owner == function)
    };
    live.iter().filter(suits).take(VARIABLES).collect()
}

/// Keeps states at loop heads.
struct Recorder<'r> {
    program: &'r Program,
    heads: &'r IdxVec<FuncId, IdxVec<LocId, Vec<VarId>>>,
    states: BTreeMap<Location, Vec<Vec<i64>>>,
}

impl Observer for &mut Recorder<'_> {
    fn step(&mut self, view: &View<'_>, at: EdgeRef, _: Change) {
        let loc = self.program.functions[at.function].edge(at.edge).dst;
        let variables = &self.heads[at.function][loc];
        if variables.len() < 2 || view.function != at.function {
            return;
        }
        let states = self.states.entry(Location { function: at.function, loc }).or_default();
        if states.len() >= STATES {
            return;
        }
        let value = |&var: &VarId| {
            let bits = self.program.vars[var].ty.bits(self.program.model);
            view.var(var).map_or(0, |value| fold::signed(bits, value as u64))
        };
        let state: Vec<i64> = variables.iter().map(value).collect();
        if state.iter().all(|value| value.unsigned_abs() < RANGE as u64) && !states.contains(&state) {
            states.push(state);
        }
    }
}

/// Small numbers, a different sequence for each run (xorshift).
struct Small(u64);

impl Inputs for Small {
    fn value(&mut self, _: Request) -> u128 {
        let mut x = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        x ^= x >> 27;
        x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        self.0 = x;
        match x >> 60 {
            0..8 => (x >> 8 & 7).into(),
            8..12 => (x >> 8 & 63).into(),
            12..14 => 1,
            _ => 0,
        }
    }
}

/// The linear equalities that all states satisfy, by elimination over the rational numbers.
fn equalities(program: &Program, variables: &[VarId], states: &[Vec<i64>]) -> Vec<Equality> {
    let mut found = Vec::new();
    for width in [32, 64] {
        let columns: Vec<usize> =
            (0..variables.len()).filter(|&i| program.vars[variables[i]].ty == Ty::Int(width)).collect();
        // Fewer states than unknowns satisfy equalities by chance.
        if columns.len() < 2 || states.len() < columns.len() + 3 {
            continue;
        }
        let rows = states.iter().map(|s| columns.iter().map(|&c| i128::from(s[c])).chain([1]).collect()).collect();
        for relation in null_space(rows, columns.len() + 1) {
            let (constant, coefficients) = relation.split_last().expect("there is a column for the constant");
            let sum: Vec<(VarId, i128)> = coefficients
                .iter()
                .zip(&columns)
                .filter(|(c, _)| **c != 0)
                .map(|(&c, &column)| (variables[column], c))
                .collect();
            if (2..=TERMS).contains(&sum.len()) && sum.iter().all(|(_, c)| c.abs() <= COEFFICIENT) {
                found.push((sum, *constant));
            }
        }
    }
    found
}

/// Integer vectors that span what is orthogonal to all rows; none if the numbers get too large.
fn null_space(mut rows: Vec<Vec<i128>>, columns: usize) -> Vec<Vec<i128>> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut done = 0;
    for column in 0..columns {
        let Some(pivot) = (done..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(done, pivot);
        let lead = rows[done].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r == done || row[column] == 0 {
                continue;
            }
            let (a, b) = (lead[column], row[column]);
            for (x, y) in row.iter_mut().zip(&lead) {
                let Some(value) = (|| x.checked_mul(a)?.checked_sub(y.checked_mul(b)?))() else { return Vec::new() };
                *x = value;
            }
            let divisor = row.iter().fold(0, |g, &x| gcd(g, x));
            if divisor > 1 {
                row.iter_mut().for_each(|x| *x /= divisor);
            }
        }
        pivots.push(column);
        done += 1;
    }
    let free = (0..columns).filter(|c| !pivots.contains(c));
    free.filter_map(|column| {
        // The free column is 1, the pivots follow; scaled to integers.
        let scale = pivots.iter().enumerate().try_fold(1i128, |scale, (r, &p)| {
            let divisor = rows[r][p].abs() / gcd(rows[r][p], rows[r][column]).max(1);
            (scale / gcd(scale, divisor)).checked_mul(divisor)
        })?;
        let mut vector = vec![0; columns];
        vector[column] = scale;
        for (r, &p) in pivots.iter().enumerate() {
            vector[p] = -rows[r][column].checked_mul(scale)? / rows[r][p];
        }
        Some(vector)
    })
    .collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::null_space;

    #[test]
    fn relations_hold_in_all_rows() {
        // x, y, z, 1 with x + 2y = z + 3 and, by itself, nothing else.
        let rows: Vec<Vec<i128>> =
            [(0, 0), (1, 0), (0, 1), (5, 7), (-3, 2)].iter().map(|&(x, y)| vec![x, y, x + 2 * y - 3, 1]).collect();
        let relations = null_space(rows.clone(), 4);
        assert_eq!(relations.len(), 1);
        for relation in relations {
            assert!(relation.iter().any(|&c| c != 0));
            for row in &rows {
                assert_eq!(row.iter().zip(&relation).map(|(a, b)| a * b).sum::<i128>(), 0);
            }
        }
        assert!(null_space(vec![vec![1, 0], vec![0, 1]], 2).is_empty());
    }
}
