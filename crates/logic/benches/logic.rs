//! How fast terms are built, translated and solved. Run with `cargo bench -p robusto-logic`; one line per measurement.

use robusto_limits::Limits;
use robusto_logic::blast::Blaster;
use robusto_logic::{Answer, Solver, Sort, Term, Terms};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

/// A loop body as the encoder unrolls it: arithmetic, a branch, a merge, a store and a load.
fn unroll(terms: &mut Terms, rounds: usize) -> Term {
    let sort = Sort::Array { index: 64, element: 32 };
    let (mut i, mut sum) = (terms.constant(32, 0), terms.symbol("sum", Sort::Bits(32)));
    let (mut memory, n) = (terms.symbol("memory", sort), terms.symbol("n", Sort::Bits(32)));
    let base = terms.symbol("base", Sort::Bits(64));
    let mut guard = terms.yes();
    for k in 0..rounds {
        let less = terms.slt(i, n);
        guard = terms.and(guard, less);
        let input = terms.symbol(&format!("input{k}"), Sort::Bits(32));
        let wide = terms.sext(i, 64);
        let four = terms.constant(64, 4);
        let offset = terms.mul(wide, four);
        let address = terms.add(base, offset);
        memory = terms.store(memory, address, input);
        let read = terms.select(memory, address);
        let more = terms.add(sum, read);
        let zero = terms.constant(32, 0);
        let positive = terms.slt(zero, input);
        sum = terms.ite(positive, more, sum);
        let one = terms.constant(32, 1);
        i = terms.add(i, one);
    }
    let limit = terms.constant(32, 1000);
    let large = terms.slt(limit, sum);
    terms.and(guard, large)
}

fn line(name: &str, count: usize, unit: &str, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    println!("{name:<44} {:>10.3} ms  {:>12.0} {unit}/s", seconds * 1e3, count as f64 / seconds);
}

fn terms_built() {
    let mut terms = Terms::new();
    let start = Instant::now();
    black_box(unroll(&mut terms, 50_000));
    line("build terms of 50000 unrollings", terms.len(), "terms", start);
    let start = Instant::now();
    black_box(unroll(&mut terms, 50_000));
    line("the same again, all known", terms.len(), "terms", start);
}

fn multiplier() {
    let start = Instant::now();
    let rounds = 50;
    let mut gates = 0;
    for _ in 0..rounds {
        let mut terms = Terms::new();
        let (a, b) = (terms.symbol("a", Sort::Bits(32)), terms.symbol("b", Sort::Bits(32)));
        let product = terms.mul(a, b);
        let mut blaster = Blaster::default();
        blaster.blast(&mut terms, product, &Limits::none()).expect("never stopped");
        gates += blaster.aig.len();
    }
    line("blast a 32-bit multiplier, 50 times", gates, "gates", start);
}

fn solving() {
    let mut terms = Terms::new();
    let formula = unroll(&mut terms, 200);
    let mut solver = Solver::new(&Limits::none());
    let start = Instant::now();
    assert_eq!(solver.check(&mut terms, &[formula]), Ok(Answer::Sat));
    line("solve 200 unrollings", 1, "queries", start);
    let rounds = 100;
    let start = Instant::now();
    for k in 0..rounds {
        let n = terms.symbol("n", Sort::Bits(32));
        let limit = terms.constant(32, 300 + k as u128);
        let less = terms.slt(n, limit);
        assert_eq!(solver.check(&mut terms, &[formula, less]), Ok(Answer::Sat));
    }
    line("100 more queries on them, satisfiable", rounds, "queries", start);
    let start = Instant::now();
    for k in 0..rounds {
        let n = terms.symbol("n", Sort::Bits(32));
        let limit = terms.constant(32, k as u128 % 199);
        let less = terms.slt(n, limit);
        assert_eq!(solver.check(&mut terms, &[formula, less]), Ok(Answer::Unsat));
    }
    line("100 more queries on them, unsatisfiable", rounds, "queries", start);
}

/// Writes and reads at free indices; every read must see its own write.
fn arrays() {
    for count in [10, 50] {
        let mut terms = Terms::new();
        let mut memory = terms.symbol("memory", Sort::Array { index: 32, element: 32 });
        let mut wrong = terms.no();
        let mut apart = Vec::new();
        let indices: Vec<Term> = (0..count).map(|k| terms.symbol(&format!("i{k}"), Sort::Bits(32))).collect();
        for (k, &index) in indices.iter().enumerate() {
            let value = terms.constant(32, k as u128);
            memory = terms.store(memory, index, value);
            apart.extend(indices[..k].iter().map(|&other| terms.ult(other, index)));
        }
        for (k, &index) in indices.iter().enumerate() {
            let read = terms.select(memory, index);
            let value = terms.constant(32, k as u128);
            let differs = terms.ne(read, value);
            wrong = terms.or(wrong, differs);
        }
        let mut solver = Solver::new(&Limits::none());
        let start = Instant::now();
        assert_eq!(solver.check(&mut terms, &[wrong]), Ok(Answer::Sat));
        line(&format!("{count} writes, {count} reads, satisfiable"), 1, "queries", start);
        if count > 10 {
            continue;
        }
        apart.push(wrong);
        let start = Instant::now();
        assert_eq!(solver.check(&mut terms, &apart), Ok(Answer::Unsat));
        line(&format!("{count} writes, {count} reads, unsatisfiable"), 1, "queries", start);
    }
}

fn all_sat() {
    let mut terms = Terms::new();
    let names: Vec<Term> = (0..4).map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(32))).collect();
    let mut literals = Vec::new();
    for (k, &x) in names.iter().enumerate() {
        let y = names[(k + 1) % names.len()];
        let bound = terms.constant(32, 10 + k as u128);
        literals.push(terms.slt(x, bound));
        literals.push(terms.eq(x, y));
        literals.push(terms.slt(x, y));
    }
    let mut solver = Solver::new(&Limits::none());
    let mut cubes = 0;
    let start = Instant::now();
    solver
        .all_sat(&mut terms, &[], &literals, |_| {
            cubes += 1;
            ControlFlow::Continue(())
        })
        .expect("never stopped");
    line(&format!("enumerate 12 predicates ({cubes} cubes)"), cubes, "cubes", start);
}

fn main() {
    terms_built();
    multiplier();
    solving();
    arrays();
    all_sat();
}
