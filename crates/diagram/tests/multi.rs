//! Multi-terminal diagrams against tables.

use robusto_diagram::multi::{Mtbdd, Multi, Operation, Terminals};
use robusto_diagram::{Bdd, Diagrams, Full, Reordering, StoreSize, VarIndex};
use robusto_testing::Random;

const VARS: u32 = 5;
const ROWS: usize = 1 << VARS;
const SMALL: StoreSize = StoreSize { nodes: 1 << 16, cache: 1 << 12 };

/// Few or many values, on all or on some of the variables.
fn random_table(random: &mut Random) -> Vec<u32> {
    let (values, mask) = (random.pick(&[2, 3, 20]), [ROWS - 1, random.below(ROWS)]);
    let mask = random.pick(&mask);
    let raw: Vec<u32> = (0..ROWS).map(|_| random.below(values)).collect();
    (0..ROWS).map(|row| raw[row & mask]).collect()
}

fn row(number: usize) -> Vec<bool> {
    (0..VARS).map(|var| number >> var & 1 == 1).collect()
}

/// A function from its values, bit `v` of a row is variable `v`.
fn build(d: &Diagrams, table: &[u32]) -> Mtbdd {
    let mut rows: Vec<Mtbdd> = table.iter().map(|&value| d.multi().terminal(value).unwrap()).collect();
    for var in 0..VARS {
        let test = d.var(VarIndex::new(var)).unwrap();
        rows = rows.chunks(2).map(|pair| d.multi().ite(&test, &pair[1], &pair[0]).unwrap()).collect();
    }
    rows.remove(0)
}

fn condition(d: &Diagrams, rows: &[bool]) -> Bdd {
    let mut all = d.bottom();
    for (number, _) in rows.iter().enumerate().filter(|(_, value)| **value) {
        let literals: Vec<_> = row(number).into_iter().enumerate().map(|(v, x)| (VarIndex::new(v as u32), x)).collect();
        all = d.or(&all, &d.literals(&literals).unwrap()).unwrap();
    }
    all
}

#[track_caller]
fn check(d: &Diagrams, f: &Mtbdd, table: &[u32]) {
    let values: Vec<u32> = (0..ROWS).map(|number| d.multi().evaluate(f, &row(number))).collect();
    assert_eq!(values, table);
    assert_eq!(*f, build(d, table), "not canonical");
}

fn zip(a: &[u32], b: &[u32], op: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect()
}

/// Quantifies the variables in the set, the lowest of the order first.
fn exists(table: &[u32], order: &[VarIndex], set: usize, op: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let mut table = table.to_vec();
    for var in order.iter().rev().map(|var| var.index()).filter(|var| set >> var & 1 == 1) {
        table = (0..ROWS).map(|row| op(table[row | 1 << var], table[row & !(1 << var)])).collect();
    }
    table
}

fn cube(d: &Diagrams, set: usize) -> Bdd {
    let vars: Vec<_> = (0..VARS).filter(|var| set >> var & 1 == 1).map(VarIndex::new).collect();
    d.cube(&vars).unwrap()
}

struct Operations {
    max: Operation,
    min: Operation,
    sum: Operation,
    minus: Operation,
    half: Operation,
    odd: Operation,
}

impl Operations {
    fn new(multi: Multi<'_>) -> Result<Self, Full> {
        let new = || multi.operation();
        Ok(Self {
            max: new()?.commutative().idempotent().neutral(0),
            min: new()?.commutative().idempotent().absorbing(0),
            sum: new()?.commutative().neutral(0),
            minus: new()?,
            half: new()?,
            odd: new()?,
        })
    }
}

#[test]
fn operations_against_tables() {
    let mut random = Random::new(3);
    let d = Diagrams::new(VARS, SMALL);
    let m = d.multi();
    let ops = Operations::new(m).unwrap();
    let pairs: Vec<_> = (0..VARS).map(|var| (VarIndex::new(var), VarIndex::new((var + 1) % VARS))).collect();
    let rotation = d.renaming(&pairs).unwrap();
    let some = d.renaming(&[(VarIndex::new(0), VarIndex::new(3))]).unwrap();
    let (max, min): (fn(u32, u32) -> u32, fn(u32, u32) -> u32) = (u32::max, u32::min);
    let (sum, minus): (fn(u32, u32) -> u32, fn(u32, u32) -> u32) = (u32::wrapping_add, u32::wrapping_sub);
    for round in 0..1500 {
        let (tf, tg) = (random_table(&mut random), random_table(&mut random));
        let (f, g) = (build(&d, &tf), build(&d, &tg));
        check(&d, &f, &tf);
        for (op, meaning) in [(&ops.max, max), (&ops.min, min), (&ops.sum, sum), (&ops.minus, minus)] {
            check(&d, &m.apply(op, &f, &g, meaning).unwrap(), &zip(&tf, &tg, meaning));
            let set = random.below(ROWS as u64) as usize;
            let expected = exists(&tf, &d.order(), set, meaning);
            check(&d, &m.exists(op, &f, &cube(&d, set), meaning).unwrap(), &expected);
        }
        check(&d, &m.map(&ops.half, &f, |a| a / 2).unwrap(), &tf.iter().map(|a| a / 2).collect::<Vec<_>>());
        let odd: Vec<bool> = tf.iter().map(|a| a % 2 == 1).collect();
        assert_eq!(m.test(&ops.odd, &f, |a| a % 2 == 1).unwrap(), condition(&d, &odd));
        let where_true: Vec<bool> = (0..ROWS).map(|_| random.below(2) == 0).collect();
        let chosen: Vec<u32> = (0..ROWS).map(|row| if where_true[row] { tf[row] } else { tg[row] }).collect();
        check(&d, &m.ite(&condition(&d, &where_true), &f, &g).unwrap(), &chosen);
        let (var, value) = (random.below(VARS), random.one_in(2));
        let literal = d.literal(VarIndex::new(var), value).unwrap();
        let fixed = |row: usize| if value { row | 1 << var } else { row & !(1 << var) };
        check(&d, &m.cofactor(&f, &literal).unwrap(), &(0..ROWS).map(|row| tf[fixed(row)]).collect::<Vec<_>>());
        let rotated = |row: usize| row >> 1 | (row & 1) << (VARS - 1);
        check(&d, &m.rename(&f, &rotation).unwrap(), &(0..ROWS).map(|row| tf[rotated(row)]).collect::<Vec<_>>());
        let moved = |row: usize| row & !1 | row >> 3 & 1;
        check(&d, &m.rename(&f, &some).unwrap(), &(0..ROWS).map(|row| tf[moved(row)]).collect::<Vec<_>>());
        match round % 10 {
            3 => drop(d.collect_garbage()),
            5 => d.sift(&Reordering::default()),
            7 => {
                let mut order = d.order();
                order.rotate_left(1 + random.below(3) as usize);
                order.swap(0, 2);
                d.set_order(&order).unwrap();
                check(&d, &f, &tf);
                check(&d, &g, &tg);
            }
            _ => {}
        }
    }
    d.collect_garbage();
    assert_eq!((d.statistics().nodes, m.live_terminals()), (0, vec![]));
}

#[test]
fn questions() {
    let mut random = Random::new(4);
    let d = Diagrams::new(VARS, SMALL);
    let m = d.multi();
    for _ in 0..300 {
        let table = random_table(&mut random);
        let f = build(&d, &table);
        let mut covered = vec![None; ROWS];
        m.for_each_cube(&f, |cube, value| {
            for (number, covered) in covered.iter_mut().enumerate() {
                if cube.iter().all(|&(var, value)| row(number)[var.index()] == value) {
                    assert_eq!(covered.replace(value), None, "paths exclude each other");
                }
            }
        });
        assert_eq!(covered, table.iter().map(|&value| Some(value)).collect::<Vec<_>>());
        let mut values = table.clone();
        values.sort_unstable();
        values.dedup();
        assert_eq!(m.terminals(&f), values);
        assert_eq!(m.as_terminal(&f), (values.len() == 1).then(|| values[0]));
        let depends = |var: u32| (0..ROWS).any(|row| table[row] != table[row ^ 1 << var]);
        assert_eq!(m.support(&f), (0..VARS).filter(|&var| depends(var)).map(VarIndex::new).collect::<Vec<_>>());
        // A node for each different subfunction that depends on its variable.
        let mut inner = 0;
        for level in 0..VARS {
            let above = (1usize << level) - 1;
            let mut subfunctions: Vec<Vec<u32>> = (0..=above)
                .map(|prefix| (0..ROWS).filter(|row| row & above == prefix).map(|row| table[row]).collect())
                .filter(|sub: &Vec<u32>| (0..sub.len()).any(|row| sub[row] != sub[row ^ 1]))
                .collect();
            subfunctions.sort_unstable();
            subfunctions.dedup();
            inner += subfunctions.len();
        }
        assert_eq!(m.node_count(&f), (inner, values.len()));
    }
}

#[test]
fn nodes_and_terminals_are_collected_and_reordered() {
    let d = Diagrams::new(VARS, SMALL);
    let m = d.multi();
    let mut random = Random::new(6);
    for _ in 0..50 {
        let table = random_table(&mut random);
        let f = build(&d, &table);
        d.collect_garbage();
        assert_eq!(m.live_terminals(), m.terminals(&f));
        d.sift(&Reordering::default());
        let (inner, terminals) = m.node_count(&f);
        assert_eq!(d.statistics().nodes, inner + terminals);
        check(&d, &f, &table);
    }
}

#[test]
fn a_full_store_is_no_panic() {
    let d = Diagrams::new(VARS, StoreSize { nodes: 40, cache: 1 << 8 });
    let m = d.multi();
    let kept = m.ite(&d.var(VarIndex::new(1)).unwrap(), &m.terminal(7).unwrap(), &m.terminal(9).unwrap()).unwrap();
    let mut many = Vec::new();
    let full = (100..).map(|value| m.terminal(value)).find_map(|f| f.map(|f| many.push(f)).err());
    assert_eq!(full, Some(Full));
    let twice = m.operation().unwrap();
    assert_eq!(m.map(&twice, &kept, |a| 2 * a), Err(Full));
    drop(many);
    let doubled = m.map(&twice, &kept, |a| 2 * a).unwrap();
    assert_eq!(m.terminals(&doubled), [14, 18]);
}

#[test]
fn values_have_numbers() {
    let mut values: Terminals<String> = Terminals::default();
    let [a, b] = ["a", "b"].map(|text| values.number(text.to_owned()));
    let ab = values.combine(a, b, |a, b| format!("{a}{b}"));
    let ba = values.combine(b, a, |a, b| format!("{b}{a}"));
    assert_eq!((ab, values.value(ab).as_str()), (ba, "ab"));
    assert_eq!(values.map(a, |a| a.replace('a', "b")), b);
    values.retain(&[b]);
    assert_eq!(values.value(b), "b");
    // A number that was free has its new value.
    let c = values.number("c".to_owned());
    assert!(c != b && values.value(c) == "c" && values.number("ab".to_owned()) != c);
}
