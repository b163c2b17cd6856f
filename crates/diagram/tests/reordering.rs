//! Changes of the order: functions stay what they are, nodes become what a fresh diagram of the new order has.

use robusto_diagram::{Bdd, Diagrams, Full, Reordering, StoreSize, VarIndex};
use robusto_testing::Random;

const SMALL: StoreSize = StoreSize { nodes: 1 << 18, cache: 1 << 14 };

fn shuffle(random: &mut Random, vars: &mut [VarIndex]) {
    for last in (1..vars.len()).rev() {
        vars.swap(last, random.below(last + 1));
    }
}

fn vars(count: u32) -> Vec<VarIndex> {
    (0..count).map(VarIndex::new).collect()
}

/// The function with a truth table of `2^vars` bits, the first variable the least significant bit of the row.
fn build(d: &Diagrams, table: &[bool]) -> Bdd {
    let mut rows: Vec<Bdd> = table.iter().map(|&value| d.constant(value)).collect();
    let mut var = 0;
    while rows.len() > 1 {
        let test = d.var(VarIndex::new(var)).unwrap();
        rows = rows.chunks(2).map(|pair| d.ite(&test, &pair[1], &pair[0]).unwrap()).collect();
        var += 1;
    }
    rows.remove(0)
}

fn table_of(d: &Diagrams, f: &Bdd, vars: usize) -> Vec<bool> {
    let row = |row: usize| (0..vars).map(|var| row >> var & 1 == 1).collect::<Vec<_>>();
    (0..1 << vars).map(|number| d.evaluate(f, &row(number))).collect()
}

/// Random tables: sparse, dense, or of few of the variables.
fn random_table(random: &mut Random, vars: usize) -> Vec<bool> {
    let (kind, mask) = (random.below(3), random.below(1 << vars));
    let raw: Vec<bool> = (0..1usize << vars).map(|_| random.below(if kind == 0 { 8 } else { 2 }) == 0).collect();
    (0..1 << vars).map(|row| if kind == 2 { raw[row & mask] } else { raw[row] }).collect()
}

/// Checks values, canonicity, and that the store has exactly the nodes that a fresh one with this order has.
#[track_caller]
fn check(d: &Diagrams, functions: &[(Bdd, Vec<bool>)]) {
    let vars = d.variables();
    d.collect_garbage();
    let nodes = d.statistics().nodes;
    let mut fresh = Diagrams::new(0, SMALL);
    fresh.add_variables(vars);
    // An empty store is reordered without any exchange of nodes.
    fresh.set_order(&d.order()).unwrap();
    assert_eq!(fresh.order(), d.order());
    let copies: Vec<_> = functions.iter().map(|(_, table)| build(&fresh, table)).collect();
    fresh.collect_garbage();
    assert_eq!(nodes, fresh.statistics().nodes, "nodes in the store");
    for ((f, table), copy) in functions.iter().zip(&copies) {
        assert_eq!(table_of(d, f, vars as usize), *table);
        assert_eq!(d.node_count(f), fresh.node_count(copy));
    }
    for (f, table) in functions {
        assert_eq!(*f, build(d, table), "not canonical");
    }
    for (level, var) in d.order().into_iter().enumerate() {
        assert_eq!(d.level(var), level);
    }
}

#[test]
fn random_orders() {
    let mut random = Random::new(1);
    for count in 2..=7 {
        for _ in 0..12 {
            let d = Diagrams::new(count, SMALL);
            let functions: Vec<_> = (0..1 + random.below(5))
                .map(|_| random_table(&mut random, count as usize))
                .map(|table| (build(&d, &table), table))
                .collect();
            for _ in 0..6 {
                let mut order = d.order();
                if random.below(2) == 0 {
                    let level = random.below(count as usize - 1);
                    order.swap(level, level + 1);
                } else {
                    shuffle(&mut random, &mut order);
                }
                d.set_order(&order).unwrap();
                assert_eq!(d.order(), order);
                check(&d, &functions);
            }
        }
    }
}

#[test]
fn random_siftings_keep_groups_together() {
    let mut random = Random::new(2);
    for round in 0..60 {
        let count = 4 + random.below(4) as u32;
        let d = Diagrams::new(count, SMALL);
        let functions: Vec<_> = (0..1 + random.below(4))
            .map(|_| random_table(&mut random, count as usize))
            .map(|table| (build(&d, &table), table))
            .collect();
        let mut shuffled = vars(count);
        shuffle(&mut random, &mut shuffled);
        // Also groups whose members are apart at first.
        let groups: Vec<&[VarIndex]> = match round % 3 {
            0 => vec![],
            1 => vec![&shuffled[..2], &shuffled[2..4]],
            _ => vec![&shuffled[1..4]],
        };
        groups.iter().for_each(|group| d.group(group));
        let before = {
            d.collect_garbage();
            d.statistics().nodes
        };
        d.sift(&Reordering { growth: 1.0 + random.below(3) as f64, ..Reordering::default() });
        let after = d.statistics().nodes;
        check(&d, &functions);
        for group in &groups {
            let levels: Vec<_> = group.iter().map(|&var| d.level(var)).collect();
            let (first, last) = (levels.iter().min().unwrap(), levels.iter().max().unwrap());
            assert_eq!(last - first + 1, group.len(), "{group:?} at {levels:?}");
        }
        if groups.is_empty() {
            assert!(after <= before, "sifting made it worse");
        }
        d.sift(&Reordering::default());
        check(&d, &functions);
        assert_eq!(d.statistics().reorderings, 2);
    }
}

/// `x0 ↔ xn, x1 ↔ xn+1, …`: exponential in the order of the indices, linear with partners side by side.
fn pairs(d: &Diagrams, count: u32) -> Result<Bdd, Full> {
    (0..count).try_fold(d.top(), |all, pair| {
        let (a, b) = (d.var(VarIndex::new(pair))?, d.var(VarIndex::new(pair + count))?);
        d.and(&all, &d.iff(&a, &b)?)
    })
}

#[test]
fn sifting_finds_the_linear_order() {
    let d = Diagrams::new(24, SMALL);
    let f = pairs(&d, 12).unwrap();
    assert_eq!(d.node_count(&f), 3 * (1 << 12) - 4);
    d.sift(&Reordering::default());
    assert_eq!(d.node_count(&f), 3 * 12 - 1);
    assert_eq!(d.count(&f, &vars(24)), 4096.0);
    assert_eq!(d.statistics().nodes, 3 * 12 - 1);
    assert!(d.statistics().swaps > 24);
    // With the partners kept apart in two groups, nothing can be gained.
    let d = Diagrams::new(16, SMALL);
    let f = pairs(&d, 8).unwrap();
    d.group(&vars(16)[..8]);
    d.group(&vars(16)[8..]);
    d.sift(&Reordering::default());
    assert_eq!(d.node_count(&f), 3 * (1 << 8) - 4);
}

#[test]
fn the_trigger_fires_as_it_is_told() {
    let off = Diagrams::new(30, StoreSize { nodes: 1 << 16, cache: 1 << 14 });
    assert_eq!(pairs(&off, 15), Err(Full));
    assert_eq!(off.statistics().reorderings, 0);
    let on = Diagrams::new(30, StoreSize { nodes: 1 << 16, cache: 1 << 14 });
    on.set_reordering(Some(Reordering { first: 500, ..Reordering::default() }));
    let f = pairs(&on, 15).unwrap();
    assert_eq!(on.count(&f, &vars(30)), 32768.0);
    let fired = on.statistics().reorderings;
    assert!((1..20).contains(&fired), "{fired} reorderings");
    assert!(on.statistics().peak_nodes < 5_000, "{} nodes", on.statistics().peak_nodes);
    assert!(!on.statistics().reordering_time.is_zero());
    on.set_reordering(None);
    on.set_order(&vars(30)).unwrap_err();
    assert_eq!(on.statistics().reorderings, fired + 1);
    assert_eq!(on.count(&f, &vars(30)), 32768.0);
}

#[test]
fn the_bound_on_exchanges_stops_sifting() {
    let d = Diagrams::new(24, SMALL);
    let f = pairs(&d, 12).unwrap();
    d.sift(&Reordering { swaps: 0, ..Reordering::default() });
    assert_eq!((d.statistics().swaps, d.order()), (0, vars(24)));
    d.sift(&Reordering { swaps: 1, ..Reordering::default() });
    // One variable goes both ways.
    assert!((1..80).contains(&d.statistics().swaps), "{} exchanges", d.statistics().swaps);
    assert_eq!(d.count(&f, &vars(24)), 4096.0);
}

/// A store with hardly any room: exchanges that might not fit are not made, and nothing is lost.
#[test]
fn reordering_in_a_full_store() {
    for room in [0, 10, 100, 1000, 4000] {
        let needed = 3 * (1 << 8) - 4;
        // All functions that building needs are alive together at the end of it.
        let d = Diagrams::new(17, StoreSize { nodes: 2 * needed + room, cache: 1 << 10 });
        d.group(&[VarIndex::new(3), VarIndex::new(16), VarIndex::new(5)]);
        let f = pairs(&d, 8).unwrap();
        let _ = d.set_order(&vars(17).into_iter().rev().collect::<Vec<_>>());
        d.sift(&Reordering::default());
        assert_eq!(d.count(&f, &vars(16)), 256.0);
        assert!(d.statistics().peak_nodes <= 2 * needed + room);
        assert_eq!(f, pairs(&d, 8).unwrap());
    }
}

/// Operations, collections and changes of the order in turn: no cached result outlives its nodes, prepared renamings and
/// cubes keep their meaning.
#[test]
fn operations_between_reorderings() {
    let count = 6;
    let d = Diagrams::new(count, SMALL);
    let mut random = Random::new(5);
    let mut pool: Vec<(Bdd, Vec<bool>)> =
        (0..8).map(|_| random_table(&mut random, count as usize)).map(|table| (build(&d, &table), table)).collect();
    let pairs: Vec<_> = (0..count).map(|var| (VarIndex::new(var), VarIndex::new((var + 1) % count))).collect();
    let renaming = d.renaming(&pairs).unwrap();
    // The value of variable v of the old function is that of variable v + 1.
    let rotated = |row: usize| row >> 1 | (row & 1) << (count - 1);
    let cubes: Vec<Bdd> = (0..count).map(|var| d.cube(&[VarIndex::new(var)]).unwrap()).collect();
    let zip = |a: &[bool], b: &[bool], op: fn(bool, bool) -> bool| {
        a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect::<Vec<bool>>()
    };
    let exists = |table: &[bool], var: usize| {
        (0..table.len()).map(|row| table[row | 1 << var] | table[row & !(1 << var)]).collect::<Vec<bool>>()
    };
    for _ in 0..6000 {
        let (i, j, k) = (random.below(8), random.below(8), random.below(8));
        let ((f, tf), (g, tg)) = (&pool[i], &pool[j]);
        let var = random.below(count as usize);
        let new = match random.below(8) {
            0 => (d.and(f, g), zip(tf, tg, |a, b| a & b)),
            1 => (d.xor(f, g), zip(tf, tg, |a, b| a ^ b)),
            2 => (d.exists(f, &cubes[var]), exists(tf, var)),
            3 => (d.and_exists(f, g, &cubes[var]), exists(&zip(tf, tg, |a, b| a & b), var)),
            4 => (d.exists_and(f, &cubes[var], g), zip(&exists(tf, var), tg, |a, b| a & b)),
            5 => (d.rename(f, &renaming), (0..tf.len()).map(|row| tf[rotated(row)]).collect()),
            6 => (d.implies(f, g), zip(tf, tg, |a, b| !a | b)),
            _ => {
                let table = random_table(&mut random, count as usize);
                (Ok(build(&d, &table)), table)
            }
        };
        pool[k] = (new.0.unwrap(), new.1);
        assert_eq!(pool[k].0, build(&d, &pool[k].1));
        match random.below(12) {
            0 => {
                let mut order = d.order();
                shuffle(&mut random, &mut order);
                d.set_order(&order).unwrap();
            }
            1 => d.sift(&Reordering::default()),
            2 => drop(d.collect_garbage()),
            _ => {}
        }
    }
    drop(pool);
    drop(cubes);
    d.collect_garbage();
    assert_eq!(d.statistics().nodes, 0);
}

#[test]
fn questions_after_a_reordering() {
    let d = Diagrams::new(4, SMALL);
    let [a, b, c, e] = [0, 1, 2, 3].map(VarIndex::new);
    let f = d.literals(&[(a, true), (c, false), (e, true)]).unwrap();
    d.set_order(&[e, c, b, a]).unwrap();
    assert_eq!(d.root(&f), Some(e));
    assert_eq!(d.support(&f), [a, c, e]);
    assert_eq!(d.pick(&f), Some(vec![Some(true), None, Some(false), Some(true)]));
    assert_eq!(d.count(&f, &[a, b, c, e]), 2.0);
    let text = d.fold(&f, "1".to_owned(), "0".to_owned(), |var, yes, no| format!("{}({yes},{no})", var.index()));
    assert_eq!(text, "3(2(0,0(1,0)),0)");
    let mut d = d;
    // New variables come below all others.
    let new = d.add_variables(2);
    assert_eq!((new.index(), d.level(new)), (4, 4));
}
