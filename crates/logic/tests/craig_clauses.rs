//! Interpolants of random and of hard clause sets, checked by brute force or by a fresh SAT solver.

use cadical_sys::{CaDiCal, Status};
use robusto_limits::{Limits, Stopped};
use robusto_logic::blast::aig::Lit;
use robusto_logic::craig::{Clauses, Dag, Partition, Sequence, Strength, interpolants};
use robusto_testing::Random;
use std::sync::Arc;
use std::time::Duration;

/// The three conditions on each interpolant follow from the chain of implications and the variables: from true, through
/// each partition, to false.
fn check(clauses: &Clauses, partitions: u32, sequence: &Sequence) {
    assert_eq!(sequence.interpolants.len() as u32, partitions - 1);
    check_variables(clauses, sequence);
    let at = |i: u32| match i {
        0 => Lit::TRUE,
        i if i == partitions => Lit::FALSE,
        i => sequence.interpolants[i as usize - 1],
    };
    for p in 0..partitions {
        let mut solver = CaDiCal::new();
        let mut fresh = clauses.variables() as i32;
        for c in clauses.ids().filter(|&c| clauses.partition(c) == Partition(p)) {
            solver.clause6(clauses.literals(c));
        }
        let before = encode(&mut solver, &mut fresh, &sequence.dag, at(p));
        let after = encode(&mut solver, &mut fresh, &sequence.dag, at(p + 1));
        solver.clause1(before);
        solver.clause1(-after);
        assert_eq!(solver.solve(), Status::UNSATISFIABLE, "step {p} of {partitions}: {clauses:?}");
    }
}

fn check_variables(clauses: &Clauses, sequence: &Sequence) {
    let mut range = vec![(u32::MAX, 0); clauses.variables() + 1];
    for c in clauses.ids() {
        for l in clauses.literals(c) {
            let (first, last) = &mut range[l.unsigned_abs() as usize];
            *first = (*first).min(clauses.partition(c).0);
            *last = (*last).max(clauses.partition(c).0);
        }
    }
    for (i, &root) in (1u32..).zip(&sequence.interpolants) {
        for v in sequence.dag.variables(root) {
            let (first, last) = range[v as usize];
            assert!(first < i && i <= last, "variable {v} is not shared at cut {i}");
        }
    }
}

/// The literal of a function, with its clauses; inputs of the graph are the variables they stand for.
fn encode(solver: &mut CaDiCal, fresh: &mut i32, dag: &Dag, root: Lit) -> i32 {
    let mut image = std::collections::HashMap::new();
    for node in dag.cone(&[root]) {
        let of = |l: Lit, image: &std::collections::HashMap<usize, i32>| {
            image[&l.node()] * if l.is_negated() { -1 } else { 1 }
        };
        if let Some(variable) = dag.as_literal(Lit::of_node(node)) {
            image.insert(node, variable);
            continue;
        }
        *fresh += 1;
        let v = *fresh;
        match dag.aig.conjunction(node) {
            None => solver.clause1(-v),
            Some((a, b)) => {
                let (a, b) = (of(a, &image), of(b, &image));
                solver.clause2(-v, a);
                solver.clause2(-v, b);
                solver.clause3(v, -a, -b);
            }
        }
        image.insert(node, v);
    }
    image[&root.node()] * if root.is_negated() { -1 } else { 1 }
}

fn random_clause(random: &mut Random, variables: usize, length: usize) -> Vec<i32> {
    (0..length).map(|_| (1 + random.below(variables)) as i32 * random.pick(&[-1, 1])).collect()
}

#[test]
fn random_small_sets() {
    let mut random = Random::new(1);
    let mut refuted = 0;
    while refuted < 6_000 {
        let (variables, partitions) = (3 + random.below(12), 2 + random.below(4));
        let mut clauses = Clauses::new();
        for _ in 0..variables * (3 + random.below(4)) {
            let length = 1 + random.below(3).max(random.below(3));
            let clause = random_clause(&mut random, variables, length);
            // Neighbouring partitions share more variables, as blocks of a path do.
            let near = clause[0].unsigned_abs() as usize * partitions / (variables + 1) + random.below(2);
            clauses.add(Partition(near.min(partitions - 1) as u32), &clause);
        }
        let partitions = partitions as u32;
        let strength = random.pick(&[Strength::Strong, Strength::Weak]);
        if let Some(sequence) = interpolants(&clauses, partitions, strength, &Limits::none()).expect("never stopped") {
            check(&clauses, partitions, &sequence);
            refuted += 1;
        }
    }
}

/// Threshold 3-SAT of a size where the solver restarts, reduces and simplifies while it searches.
#[test]
fn random_hard_sets() {
    let mut random = Random::new(42);
    let mut refuted = 0;
    while refuted < 6 {
        let (variables, partitions) = (80, 3);
        let mut clauses = Clauses::new();
        for _ in 0..360 {
            clauses.add(Partition(random.below(partitions) as u32), &random_clause(&mut random, variables, 3));
        }
        let partitions = partitions as u32;
        if let Some(sequence) =
            interpolants(&clauses, partitions, Strength::Strong, &Limits::none()).expect("never stopped")
        {
            check(&clauses, partitions, &sequence);
            refuted += 1;
        }
    }
}

/// n + 1 pigeons in n holes; the clauses of each pigeon, then those of each hole, over several partitions.
fn pigeons(n: i32, partitions: u32) -> Clauses {
    let sits = |pigeon: i32, hole: i32| pigeon * n + hole + 1;
    let mut clauses = Clauses::new();
    for p in 0..=n {
        let clause: Vec<i32> = (0..n).map(|h| sits(p, h)).collect();
        clauses.add(Partition(p as u32 * partitions / (n as u32 + 1)), &clause);
    }
    for h in 0..n {
        for p in 0..=n {
            for q in p + 1..=n {
                clauses.add(Partition(h as u32 * partitions / n as u32), &[-sits(p, h), -sits(q, h)]);
            }
        }
    }
    clauses
}

#[test]
fn pigeon_hole() {
    for (n, partitions) in [(3, 2), (4, 5), (5, 3), (6, 2)] {
        let clauses = pigeons(n, partitions);
        let sequence = interpolants(&clauses, partitions, Strength::Strong, &Limits::none())
            .expect("never stopped")
            .expect("unsatisfiable");
        check(&clauses, partitions, &sequence);
    }
}

#[test]
fn stops() {
    let limits = Limits::new(Some(Duration::from_millis(20)), None, Arc::default());
    let stopped = interpolants(&pigeons(11, 2), 2, Strength::Strong, &limits);
    assert!(matches!(stopped, Err(Stopped::Timeout)));
}

/// One partition decides alone, an empty clause, a satisfiable set, partitions without clauses.
#[test]
fn borders() {
    let mut clauses = Clauses::new();
    assert!(interpolants(&clauses, 3, Strength::Strong, &Limits::none()).expect("never stopped").is_none());
    clauses.add(Partition(1), &[1, 2]);
    clauses.add(Partition(1), &[-1]);
    assert!(interpolants(&clauses, 3, Strength::Strong, &Limits::none()).expect("never stopped").is_none());
    clauses.add(Partition(1), &[-2, -2]);
    clauses.add(Partition(2), &[3, -3]);
    let sequence =
        interpolants(&clauses, 5, Strength::Strong, &Limits::none()).expect("never stopped").expect("unsatisfiable");
    assert_eq!(sequence.interpolants, [Lit::TRUE, Lit::FALSE, Lit::FALSE, Lit::FALSE]);
    let mut clauses = Clauses::new();
    clauses.add(Partition(0), &[1]);
    clauses.add(Partition(1), &[]);
    let sequence =
        interpolants(&clauses, 2, Strength::Strong, &Limits::none()).expect("never stopped").expect("unsatisfiable");
    assert_eq!(sequence.interpolants, [Lit::TRUE]);
}
