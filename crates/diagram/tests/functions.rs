//! Operations on random functions of up to six variables against their truth tables.

use robusto_diagram::{Bdd, Diagrams, StoreSize, VarIndex};
use robusto_testing::Random;

const SMALL: StoreSize = StoreSize { nodes: 1 << 18, cache: 1 << 14 };

/// A truth table that is sparse, dense or in between.
fn random_table(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.bits() & random.bits() & random.bits(),
        1 => random.bits() | random.bits() | random.bits(),
        2 => random.bits() & random.bits(),
        _ => random.bits(),
    }
}

/// A function and its table: bit `i` is the value under the assignment whose variable `v` is bit `v` of `i`.
#[derive(Clone, Copy)]
struct Table {
    vars: u32,
    bits: u64,
}

impl Table {
    fn new(vars: u32, bits: u64) -> Self {
        Self { vars, bits: bits & (u64::MAX >> (64 - (1u32 << vars))) }
    }

    fn from(vars: u32, value: impl Fn(usize) -> bool) -> Self {
        Self::new(vars, (0..1 << vars).map(|row| u64::from(value(row)) << row).sum())
    }

    fn at(self, row: usize) -> bool {
        self.bits >> row & 1 == 1
    }

    /// The table with the variable set to a value.
    fn with(self, var: u32, value: bool) -> Self {
        Self::from(self.vars, |row| self.at(if value { row | 1 << var } else { row & !(1 << var) }))
    }

    fn exists(self, set: u64) -> Self {
        (0..self.vars)
            .filter(|var| set >> var & 1 == 1)
            .fold(self, |table, var| Self::new(self.vars, table.with(var, false).bits | table.with(var, true).bits))
    }

    fn forall(self, set: u64) -> Self {
        (0..self.vars)
            .filter(|var| set >> var & 1 == 1)
            .fold(self, |table, var| Self::new(self.vars, table.with(var, false).bits & table.with(var, true).bits))
    }
}

fn build(diagrams: &Diagrams, table: Table) -> Bdd {
    let mut rows: Vec<Bdd> = (0..1 << table.vars).map(|row| diagrams.constant(table.at(row))).collect();
    for var in 0..table.vars {
        let variable = diagrams.var(VarIndex::new(var)).unwrap();
        rows = rows.chunks(2).map(|pair| diagrams.ite(&variable, &pair[1], &pair[0]).unwrap()).collect();
    }
    rows.pop().unwrap()
}

fn assignment(diagrams: &Diagrams, row: usize) -> Vec<bool> {
    (0..diagrams.variables()).map(|var| row >> var & 1 == 1).collect()
}

#[track_caller]
fn check(diagrams: &Diagrams, f: &Bdd, expected: Table) {
    for row in 0..1 << expected.vars {
        assert_eq!(diagrams.evaluate(f, &assignment(diagrams, row)), expected.at(row), "row {row}");
    }
    // Canonical: the same function built in another way is the same handle.
    assert_eq!(*f, build(diagrams, expected));
}

fn set(vars: u32, bits: u64) -> Vec<VarIndex> {
    (0..vars).filter(|var| bits >> var & 1 == 1).map(VarIndex::new).collect()
}

/// Runs a check on many pairs of random functions.
fn for_random_functions(mut run: impl FnMut(&Diagrams, &mut Random, Table, Table)) {
    let mut random = Random::new(7);
    for vars in 1..=6 {
        let diagrams = Diagrams::new(vars, SMALL);
        for _ in 0..200 {
            let (f, g) = (Table::new(vars, random_table(&mut random)), Table::new(vars, random_table(&mut random)));
            run(&diagrams, &mut random, f, g);
        }
    }
}

#[test]
fn connectives() {
    for_random_functions(|d, random, tf, tg| {
        let (vars, th) = (tf.vars, Table::new(tf.vars, random_table(random)));
        let (f, g, h) = (build(d, tf), build(d, tg), build(d, th));
        check(d, &d.not(&f).unwrap(), Table::new(vars, !tf.bits));
        check(d, &d.and(&f, &g).unwrap(), Table::new(vars, tf.bits & tg.bits));
        check(d, &d.or(&f, &g).unwrap(), Table::new(vars, tf.bits | tg.bits));
        check(d, &d.xor(&f, &g).unwrap(), Table::new(vars, tf.bits ^ tg.bits));
        check(d, &d.iff(&f, &g).unwrap(), Table::new(vars, !(tf.bits ^ tg.bits)));
        check(d, &d.implies(&f, &g).unwrap(), Table::new(vars, !tf.bits | tg.bits));
        check(d, &d.diff(&f, &g).unwrap(), Table::new(vars, tf.bits & !tg.bits));
        check(d, &d.ite(&h, &f, &g).unwrap(), Table::new(vars, th.bits & tf.bits | !th.bits & tg.bits));
    });
}

#[test]
fn connectives_with_constants() {
    for_random_functions(|d, _, tf, _| {
        let (f, vars) = (build(d, tf), tf.vars);
        for value in [false, true] {
            let (c, bits) = (d.constant(value), if value { u64::MAX } else { 0 });
            check(d, &d.and(&f, &c).unwrap(), Table::new(vars, tf.bits & bits));
            check(d, &d.or(&c, &f).unwrap(), Table::new(vars, tf.bits | bits));
            check(d, &d.xor(&f, &c).unwrap(), Table::new(vars, tf.bits ^ bits));
            check(d, &d.iff(&c, &f).unwrap(), Table::new(vars, !(tf.bits ^ bits)));
            check(d, &d.implies(&f, &c).unwrap(), Table::new(vars, !tf.bits | bits));
            check(d, &d.implies(&c, &f).unwrap(), Table::new(vars, !bits | tf.bits));
            check(d, &d.diff(&f, &c).unwrap(), Table::new(vars, tf.bits & !bits));
            check(d, &d.diff(&c, &f).unwrap(), Table::new(vars, bits & !tf.bits));
        }
    });
}

#[test]
fn quantification() {
    for_random_functions(|d, random, tf, tg| {
        let (vars, quantified) = (tf.vars, random.bits());
        let cube = d.cube(&set(vars, quantified)).unwrap();
        let (f, g) = (build(d, tf), build(d, tg));
        check(d, &d.exists(&f, &cube).unwrap(), tf.exists(quantified));
        check(d, &d.forall(&f, &cube).unwrap(), tf.forall(quantified));
        check(d, &d.and_exists(&f, &g, &cube).unwrap(), Table::new(vars, tf.bits & tg.bits).exists(quantified));
        check(d, &d.exists_and(&f, &cube, &g).unwrap(), Table::new(vars, tf.exists(quantified).bits & tg.bits));
    });
}

#[test]
fn cofactor_by_literals() {
    for_random_functions(|d, random, tf, _| {
        let (fixed, values) = (random.bits(), random.bits());
        let literals: Vec<_> =
            set(tf.vars, fixed).into_iter().map(|var| (var, values >> var.index() & 1 == 1)).collect();
        let expected = literals.iter().fold(tf, |table, &(var, value)| table.with(var.index() as u32, value));
        let cube = d.literals(&literals).unwrap();
        check(d, &d.cofactor(&build(d, tf), &cube).unwrap(), expected);
    });
}

#[test]
fn renaming() {
    for_random_functions(|d, random, tf, _| {
        // A random permutation of the variables.
        let mut to: Vec<u32> = (0..tf.vars).collect();
        for place in (1..to.len()).rev() {
            to.swap(place, (random.bits() % (place as u64 + 1)) as usize);
        }
        let pairs: Vec<_> =
            to.iter().enumerate().map(|(old, &new)| (VarIndex::new(old as u32), VarIndex::new(new))).collect();
        let expected =
            Table::from(tf.vars, |row| tf.at(to.iter().enumerate().map(|(old, &new)| (row >> new & 1) << old).sum()));
        let renaming = d.renaming(&pairs).unwrap();
        check(d, &d.rename(&build(d, tf), &renaming).unwrap(), expected);
    });
}

#[test]
fn restriction_agrees_on_the_care_set() {
    let (mut before, mut after) = (0, 0);
    for_random_functions(|d, _, tf, tcare| {
        let (f, care) = (build(d, tf), build(d, tcare));
        let minimised = d.restrict_minimise(&f, &care).unwrap();
        assert_eq!(d.and(&minimised, &care).unwrap(), d.and(&f, &care).unwrap());
        let support = d.support(&f);
        assert!(d.support(&minimised).iter().all(|var| support.contains(var)));
        before += d.node_count(&f);
        after += d.node_count(&minimised);
    });
    assert!(after < before, "{after} nodes after, {before} before");
}

#[test]
fn inclusion() {
    for_random_functions(|d, _, tf, tg| {
        let (f, g) = (build(d, tf), build(d, tg));
        assert_eq!(d.leq(&f, &g), tf.bits & !tg.bits == 0);
        let both = d.and(&f, &g).unwrap();
        assert!(d.leq(&both, &f) && d.leq(&both, &g) && d.leq(&f, &f));
        assert!(d.leq(&d.bottom(), &f) && d.leq(&f, &d.top()));
    });
}

#[test]
fn pick_count_support_and_nodes() {
    for_random_functions(|d, _, tf, _| {
        let f = build(d, tf);
        match d.pick(&f) {
            None => assert_eq!(tf.bits, 0),
            Some(picked) => {
                for row in 0..1usize << tf.vars {
                    let inside =
                        picked.iter().enumerate().all(|(var, value)| value.is_none_or(|v| v == (row >> var & 1 == 1)));
                    assert!(!inside || tf.at(row));
                }
            }
        }
        let vars = set(tf.vars, u64::MAX);
        assert_eq!(d.count(&f, &vars), f64::from(tf.bits.count_ones()));
        let depends: Vec<_> = vars
            .iter()
            .copied()
            .filter(|var| tf.with(var.index() as u32, false).bits != tf.with(var.index() as u32, true).bits)
            .collect();
        assert_eq!(d.support(&f), depends);
        assert_eq!(
            d.count(&f, &depends),
            f64::from(tf.bits.count_ones()) / f64::from(1u32 << (vars.len() - depends.len()))
        );
        let nodes = d.node_count(&f);
        assert_eq!(d.node_count_up_to(&f, nodes), Some(nodes));
        assert_eq!(nodes.checked_sub(1).and_then(|less| d.node_count_up_to(&f, less)), None);
    });
}

#[test]
fn count_of_many_variables() {
    let d = Diagrams::new(2000, SMALL);
    let vars: Vec<_> = (0..2000).map(VarIndex::new).collect();
    let even = d.cube(&vars[..1990]).unwrap();
    assert_eq!(d.count(&even, &vars), 1024.0);
    assert_eq!(d.count(&d.var(VarIndex::new(3)).unwrap(), &vars[..5]), 16.0);
}

#[test]
fn assignments() {
    // x is the variables 0 and 1, y is 2 and 3; 4 and 5 are scratch.
    let mut random = Random::new(3);
    let d = Diagrams::new(6, SMALL);
    let circuits = d.circuits(1000);
    let [x, y, scratch] = [0, 2, 4].map(|first| [VarIndex::new(first), VarIndex::new(first + 1)]);
    let (vx, vy) = (circuits.variables(&x).unwrap(), circuits.variables(&y).unwrap());
    let increment = circuits.add(&vx, &circuits.constant(2, 1)).unwrap();
    type Meaning = fn(usize, usize) -> usize;
    let cases: [(_, Meaning); 5] = [
        (circuits.constant(2, 3), |_, _| 3),
        (circuits.constant(2, 0), |_, _| 0),
        (vy.clone(), |_, y| y),
        (increment, |x, _| (x + 1) % 4),
        (circuits.mul(&vx, &vy).unwrap(), |x, y| x * y % 4),
    ];
    for (value, meaning) in cases {
        let assignment = d.assignment(&x, &value, &scratch).unwrap();
        for _ in 0..100 {
            let set = Table::new(4, random_table(&mut random));
            let image = (0..16)
                .filter(|&row| set.at(row))
                .map(|row| row & !3 | meaning(row & 3, row >> 2))
                .fold(0, |set, row| set | 1 << row);
            check(&d, &d.assign(&build(&d, set), &assignment).unwrap(), Table::new(4, image));
        }
    }
    let havoc = d.havoc(&y).unwrap();
    let set = Table::new(4, 0b0100_0000);
    check(&d, &d.assign(&build(&d, set), &havoc).unwrap(), set.exists(0b1100));
}

/// Random operations on a pool of functions, with collections in between: the cache must not remember nodes that are
/// gone, and a freed place must not be confused with what was there before.
#[test]
fn operations_between_collections() {
    let vars = 6;
    let d = Diagrams::new(vars, SMALL);
    let mut random = Random::new(11);
    let mut pool: Vec<(Bdd, Table)> = (0..8)
        .map(|_| {
            let table = Table::new(vars, random_table(&mut random));
            (build(&d, table), table)
        })
        .collect();
    // Reverses the order of the variables.
    let pairs: Vec<_> = (0..vars).map(|var| (VarIndex::new(var), VarIndex::new(vars - 1 - var))).collect();
    let renaming = d.renaming(&pairs).unwrap();
    let reverse = |row: usize| (0..vars).map(|var| (row >> var & 1) << (vars - 1 - var)).sum::<usize>();
    for _ in 0..20_000 {
        let mut choose = || (random.bits() % 8) as usize;
        let (i, j, k) = (choose(), choose(), choose());
        let ((f, tf), (g, tg)) = (&pool[i], &pool[j]);
        let quantified = 1 << (random.bits() % 6);
        let cube = d.cube(&set(vars, quantified)).unwrap();
        let new = match random.bits() % 8 {
            0 => (d.and(f, g), Table::new(vars, tf.bits & tg.bits)),
            1 => (d.xor(f, g), Table::new(vars, tf.bits ^ tg.bits)),
            2 => (d.exists(f, &cube), tf.exists(quantified)),
            3 => (d.and_exists(f, g, &cube), Table::new(vars, tf.bits & tg.bits).exists(quantified)),
            4 => (d.exists_and(f, &cube, g), Table::new(vars, tf.exists(quantified).bits & tg.bits)),
            5 => (d.rename(f, &renaming), Table::from(vars, |row| tf.at(reverse(row)))),
            6 => (d.ite(f, g, &d.not(f).unwrap()), Table::new(vars, tf.bits & tg.bits | !tf.bits)),
            _ => {
                let table = Table::new(vars, random_table(&mut random));
                (Ok(build(&d, table)), table)
            }
        };
        pool[k] = (new.0.unwrap(), new.1);
        assert_eq!(pool[k].0, build(&d, pool[k].1));
        if random.bits().is_multiple_of(16) {
            d.collect_garbage();
        }
    }
    drop(pool);
    d.collect_garbage();
    assert_eq!(d.statistics().nodes, 0);
}

/// Recursion is as deep as there are levels; a test has a stack of 2 MB.
#[test]
fn many_levels() {
    let d = Diagrams::new(6000, SMALL);
    let vars: Vec<_> = (0..6000).map(VarIndex::new).collect();
    let (even, odd): (Vec<_>, Vec<_>) = vars.iter().partition(|var| var.index().is_multiple_of(2));
    let (f, g) = (d.cube(&even).unwrap(), d.cube(&odd).unwrap());
    let both = d.and(&f, &g).unwrap();
    assert_eq!(d.node_count(&both), 6000);
    assert_eq!(d.exists(&both, &g).unwrap(), f);
    assert_eq!(d.and_exists(&both, &f, &g).unwrap(), f);
    assert!(d.leq(&both, &f) && !d.leq(&f, &both));
    let pairs: Vec<_> = even.iter().zip(&odd).map(|(&even, &odd)| (even, odd)).collect();
    assert_eq!(d.rename(&f, &d.renaming(&pairs).unwrap()).unwrap(), g);
    assert_eq!(d.restrict_minimise(&both, &f).unwrap(), g);
}

#[test]
fn conjuncts_share_no_variable_and_give_the_function() {
    for_random_functions(|d, _, tf, _| {
        let f = build(d, tf);
        let parts = d.conjuncts(&f).unwrap();
        let mut seen: Vec<VarIndex> = Vec::new();
        let mut all = d.top();
        for part in &parts {
            seen.extend(d.support(part));
            all = d.and(&all, part).unwrap();
        }
        assert_eq!(all, f);
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count, "each variable is in one part");
    });
}

#[test]
fn pairs_one_below_the_other_are_conjuncts() {
    let d = Diagrams::new(8, SMALL);
    let mut f = d.top();
    let mut pairs = Vec::new();
    for i in 0..4 {
        let (a, b) = (d.var(VarIndex::new(2 * i)).unwrap(), d.var(VarIndex::new(2 * i + 1)).unwrap());
        pairs.push(if i % 2 == 0 { d.iff(&a, &b).unwrap() } else { d.or(&a, &b).unwrap() });
        f = d.and(&f, pairs.last().unwrap()).unwrap();
    }
    assert_eq!(d.conjuncts(&f).unwrap(), pairs);
}
