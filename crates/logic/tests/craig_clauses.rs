//! Interpolants of random and of hard clause sets, checked by brute force or by a fresh SAT solver.

use cadical_sys::{CaDiCal, Status};
use robusto_logic::craig::{Clauses, Dag, Edge, Gate, Partition, Sequence, interpolants};

/// xorshift64*: the same instances on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % u64::from(bound)) as u32
    }
}

/// The three conditions on each interpolant follow from the chain of implications and the variables: from true, through
/// each partition, to false.
fn check(clauses: &Clauses, partitions: u32, sequence: &Sequence) {
    assert_eq!(sequence.interpolants.len() as u32, partitions - 1);
    check_variables(clauses, sequence);
    let at = |i: u32| match i {
        0 => Edge::TRUE,
        i if i == partitions => Edge::FALSE,
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

/// Tseitin's encoding of a function; its literal.
fn encode(solver: &mut CaDiCal, fresh: &mut i32, dag: &Dag, root: Edge) -> i32 {
    let mut image = vec![0; root.index() + 1];
    let top = dag.cone(&[root]);
    for i in top {
        let mut new = || {
            *fresh += 1;
            *fresh
        };
        image[i] = match dag.gate_at(i) {
            Gate::True => {
                let v = new();
                solver.clause1(v);
                v
            }
            Gate::Variable(v) => v,
            Gate::And(a, b) => {
                let of = |e: Edge| if e.is_negated() { -image[e.index()] } else { image[e.index()] };
                let (v, a, b) = (new(), of(a), of(b));
                solver.clause2(-v, a);
                solver.clause2(-v, b);
                solver.clause3(v, -a, -b);
                v
            }
        };
    }
    if root.is_negated() { -image[root.index()] } else { image[root.index()] }
}

#[test]
fn random_small_sets() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut refuted = 0;
    while refuted < 6_000 {
        let (variables, partitions) = (3 + random.below(12), 2 + random.below(4));
        let mut clauses = Clauses::new();
        for _ in 0..variables * (3 + random.below(4)) {
            let clause: Vec<i32> = (0..1 + random.below(3).max(random.below(3)))
                .map(|_| (1 + random.below(variables)) as i32 * if random.below(2) == 0 { 1 } else { -1 })
                .collect();
            // Neighbouring partitions share more variables, as blocks of a path do.
            let partition =
                (clause[0].unsigned_abs() * partitions / (variables + 1) + random.below(2)).min(partitions - 1);
            clauses.add(Partition(partition), &clause);
        }
        if let Some(sequence) = interpolants(&clauses, partitions, || false).expect("never stopped") {
            check(&clauses, partitions, &sequence);
            refuted += 1;
        }
    }
}

/// Threshold 3-SAT of a size where the solver restarts, reduces and simplifies while it searches.
#[test]
fn random_hard_sets() {
    let mut random = Random(42);
    let mut refuted = 0;
    while refuted < 6 {
        let (variables, partitions) = (150, 4);let t = std::time::Instant::now();
        let mut clauses = Clauses::new();
        for _ in 0..660 {
            let clause: Vec<i32> = (0..3)
                .map(|_| (1 + random.below(variables)) as i32 * if random.below(2) == 0 { 1 } else { -1 })
                .collect();
            clauses.add(Partition(random.below(partitions)), &clause);
        }
        if let Some(sequence) = interpolants(&clauses, partitions, || false).expect("never stopped") {
        eprintln!("{:?} {}", t.elapsed(), sequence.dag.size(&sequence.interpolants));
            check(&clauses, partitions, &sequence);
        eprintln!("{:?}", t.elapsed());
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
    for (n, partitions) in [(3, 2), (5, 3), (6, 2), (7, 5)] {
        let clauses = pigeons(n, partitions);
        let t = std::time::Instant::now();
        let sequence = interpolants(&clauses, partitions, || false).expect("never stopped").expect("unsatisfiable");
        eprintln!("{n} {partitions} {:?} {}", t.elapsed(), sequence.dag.size(&sequence.interpolants));
        check(&clauses, partitions, &sequence);
        eprintln!("{:?}", t.elapsed());
    }
}

#[test]
fn stops() {
    let mut polls = 0;
    let stopped = interpolants(&pigeons(11, 2), 2, move || {
        polls += 1;
        polls > 10
    });
    assert!(stopped.is_err());
}

/// One partition decides alone, an empty clause, a satisfiable set, partitions without clauses.
#[test]
fn borders() {
    let mut clauses = Clauses::new();
    assert!(interpolants(&clauses, 3, || false).expect("never stopped").is_none());
    clauses.add(Partition(1), &[1, 2]);
    clauses.add(Partition(1), &[-1]);
    assert!(interpolants(&clauses, 3, || false).expect("never stopped").is_none());
    clauses.add(Partition(1), &[-2, -2]);
    clauses.add(Partition(2), &[3, -3]);
    let sequence = interpolants(&clauses, 5, || false).expect("never stopped").expect("unsatisfiable");
    assert_eq!(sequence.interpolants, [Edge::TRUE, Edge::FALSE, Edge::FALSE, Edge::FALSE]);
    let mut clauses = Clauses::new();
    clauses.add(Partition(0), &[1]);
    clauses.add(Partition(1), &[]);
    let sequence = interpolants(&clauses, 2, || false).expect("never stopped").expect("unsatisfiable");
    assert_eq!(sequence.interpolants, [Edge::TRUE]);
}
