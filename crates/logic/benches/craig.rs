//! Time of one interpolation: `cargo bench -p robusto-logic --bench craig`.

use robusto_limits::Limits;
use robusto_logic::craig::{Clauses, Partition, Strength, interpolants, sequence};
use robusto_logic::{Answer, Solver, Sort, Term, Terms};
use std::time::{Duration, Instant};

fn main() {
    println!("{:28} {:>12} {:>12} {:>8} {:>10}", "terms", "solve", "interpolate", "ratio", "size");
    for steps in [5, 20, 50] {
        let mut terms = Terms::new();
        let groups = counters(&mut terms, steps);
        row(&format!("{steps} steps of two counters"), &mut terms, &groups);
    }
    for steps in [5, 20] {
        let mut terms = Terms::new();
        let groups = choices(&mut terms, steps);
        row(&format!("{steps} steps with choices"), &mut terms, &groups);
    }
    let mut terms = Terms::new();
    let groups = adders(&mut terms);
    row("two 32-bit adders", &mut terms, &groups);
    println!("{:28} {:>12} {:>10}", "clauses", "interpolate", "size");
    for n in [5, 6, 7, 8] {
        let clauses = pigeons(n);
        let start = Instant::now();
        let found =
            interpolants(&clauses, 2, Strength::Strong, &Limits::none()).expect("never stopped").expect("refuted");
        let time = start.elapsed();
        println!("{:28} {time:>12.1?} {:>10}", format!("{n} pigeon holes"), found.dag.size(&found.interpolants));
    }
}

/// Best of five, against the solver on the same conjunction.
fn row(name: &str, terms: &mut Terms, groups: &[Term]) {
    let mut times = [Duration::MAX; 2];
    let mut size = 0;
    for _ in 0..5 {
        let start = Instant::now();
        assert_eq!(Solver::new(&Limits::none()).check(terms, groups), Ok(Answer::Unsat));
        times[0] = times[0].min(start.elapsed());
        let start = Instant::now();
        let found = sequence(terms, groups, &Limits::none()).expect("no arrays").expect("unsatisfiable");
        times[1] = times[1].min(start.elapsed());
        size = terms.subterms(&found).len();
    }
    let [solve, all] = times;
    println!("{name:28} {solve:>12.1?} {all:>12.1?} {:>8.1} {size:>10}", all.as_secs_f64() / solve.as_secs_f64());
}

fn at(terms: &mut Terms, name: &str, step: usize) -> Term {
    terms.symbol(&format!("{name}{step}"), Sort::Bits(32))
}

/// `x = y = 0`, then both are counted up, then they differ.
fn counters(terms: &mut Terms, steps: usize) -> Vec<Term> {
    let (zero, one) = (terms.constant(32, 0), terms.constant(32, 1));
    let mut groups = Vec::new();
    let (x, y) = (at(terms, "x", 0), at(terms, "y", 0));
    let (a, b) = (terms.eq(x, zero), terms.eq(y, zero));
    groups.push(terms.and(a, b));
    for i in 0..steps {
        let (x, y) = (at(terms, "x", i), at(terms, "y", i));
        let (u, v) = (at(terms, "x", i + 1), at(terms, "y", i + 1));
        let (x, y) = (terms.add(x, one), terms.add(y, one));
        let (a, b) = (terms.eq(u, x), terms.eq(v, y));
        groups.push(terms.and(a, b));
    }
    let (x, y) = (at(terms, "x", steps), at(terms, "y", steps));
    groups.push(terms.ne(x, y));
    groups
}

/// `x = 0`, then in each step x grows by 0, 1 or 2 as inputs say, then x is too large: needs search.
fn choices(terms: &mut Terms, steps: usize) -> Vec<Term> {
    let x = at(terms, "x", 0);
    let zero = terms.constant(32, 0);
    let mut groups = vec![terms.eq(x, zero)];
    for i in 0..steps {
        let (x, u, n) = (at(terms, "x", i), at(terms, "x", i + 1), at(terms, "n", i));
        let two = terms.constant(32, 2);
        let (sum, small) = (terms.add(x, n), terms.ule(n, two));
        let step = terms.eq(u, sum);
        groups.push(terms.and(step, small));
    }
    let (x, bound) = (at(terms, "x", steps), terms.constant(32, 2 * steps as u128));
    groups.push(terms.ult(bound, x));
    groups
}

/// x + y against (x ^ y) + ((x & y) << 1), split before the comparison.
fn adders(terms: &mut Terms) -> Vec<Term> {
    let [x, y, s, t] = ["x", "y", "s", "t"].map(|name| at(terms, name, 0));
    let sum = terms.add(x, y);
    let (both, differ, one) = (terms.and(x, y), terms.xor(x, y), terms.constant(32, 1));
    let carries = terms.shl(both, one);
    let other = terms.add(differ, carries);
    let (a, b) = (terms.eq(s, sum), terms.eq(t, other));
    vec![terms.and(a, b), terms.ne(s, t)]
}

/// n + 1 pigeons in n holes: where they sit | that no two share a hole.
fn pigeons(n: i32) -> Clauses {
    let sits = |pigeon: i32, hole: i32| pigeon * n + hole + 1;
    let mut clauses = Clauses::new();
    for p in 0..=n {
        clauses.add(Partition(u32::from(p > n / 2)), &(0..n).map(|h| sits(p, h)).collect::<Vec<_>>());
        for h in 0..n {
            for q in 0..p {
                clauses.add(Partition(u32::from(q % 2 == 0)), &[-sits(p, h), -sits(q, h)]);
            }
        }
    }
    clauses
}
