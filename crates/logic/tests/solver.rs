//! The solver against brute force over all assignments, and its behaviour at the limits.

mod support;

use robusto_limits::{Cpu, Limits, Stopped};
use robusto_logic::{Answer, ArrayValue, FloatKind, FloatOp, Model, QueryLog, Solver, Sort, Symbol, Term, Terms};
use robusto_testing::{Random, thread_time};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::Gen;

fn generator(seed: u64, arrays: bool) -> Gen {
    Gen {
        rng: Random::new(seed),
        widths: vec![1, 2],
        arrays: arrays.then_some((2, 1)),
        symbols_per_sort: 2,
        functions: false,
    }
}

/// All assignments of the symbols.
fn models(terms: &Terms, symbols: &[Symbol]) -> Vec<Model> {
    let mut all = vec![Model::new()];
    for &symbol in symbols {
        let sort = terms.sort(terms.symbol_term(symbol));
        let mut next = Vec::new();
        for model in &all {
            match sort {
                Sort::Bits(width) => {
                    for value in 0..1u128 << width {
                        let mut model = model.clone();
                        model.set(symbol, value);
                        next.push(model);
                    }
                }
                Sort::Array { index, element } => {
                    assert_eq!((index, element), (2, 1));
                    for contents in 0..16u128 {
                        let mut model = model.clone();
                        let elements = (0..4).map(|i| (i, contents >> i & 1)).collect();
                        model.set_array(symbol, ArrayValue { elements, default: 0 });
                        next.push(model);
                    }
                }
            }
        }
        all = next;
    }
    all
}

fn symbols(terms: &Terms, roots: &[Term]) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = roots.iter().flat_map(|&t| terms.symbols(t)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn satisfies(terms: &Terms, model: &Model, roots: &[Term]) -> bool {
    roots.iter().all(|&t| terms.evaluate(t, model) == 1)
}

fn against_brute_force(seed: u64, arrays: bool, eager: Option<usize>, rounds: usize) -> (usize, usize, u64) {
    let mut gen_ = generator(seed, arrays);
    let (mut satisfiable, mut unsatisfiable, mut lemmas) = (0, 0, 0);
    let mut terms = Terms::new();
    let mut solver = Solver::new(&Limits::none());
    if let Some(eager) = eager {
        solver.set_eager_reads(eager);
    }
    for round in 0..rounds {
        if round % 20 == 0 {
            terms = Terms::new();
            lemmas += solver.statistics().array_lemmas;
            solver = Solver::new(&Limits::none());
            if let Some(eager) = eager {
                solver.set_eager_reads(eager);
            }
        }
        let count = 1 + gen_.rng.below(4);
        let pairs: Vec<_> = (0..count).map(|_| gen_.bits(&mut terms, 1, 5)).collect();
        let raw: Vec<Term> = pairs.iter().map(|pair| pair.0).collect();
        let query: Vec<Term> = pairs.iter().map(|pair| if gen_.rng.below(2) == 0 { pair.0 } else { pair.1 }).collect();
        let expected = models(&terms, &symbols(&terms, &raw)).iter().any(|model| satisfies(&terms, model, &raw));
        match solver.check(&mut terms, &query).expect("never stopped") {
            Answer::Sat => {
                satisfiable += 1;
                assert!(expected, "seed {seed}, round {round}: no model exists");
                let model = solver.model(&terms);
                assert!(satisfies(&terms, &model, &raw), "seed {seed}, round {round}: wrong model {model:?}");
            }
            Answer::Unsat => {
                unsatisfiable += 1;
                assert!(!expected, "seed {seed}, round {round}: a model exists");
                let core = solver.core().to_vec();
                let all = models(&terms, &symbols(&terms, &core));
                assert!(!all.iter().any(|model| satisfies(&terms, model, &core)), "seed {seed}: no core");
                let small = solver.minimize_core(&mut terms, &core).expect("never stopped");
                assert!(small.iter().all(|t| core.contains(t)));
                assert!(!all.iter().any(|model| satisfies(&terms, model, &small)), "seed {seed}: no small core");
                for i in 0..small.len() {
                    let mut rest = small.clone();
                    rest.remove(i);
                    assert!(all.iter().any(|model| satisfies(&terms, model, &rest)), "seed {seed}: not minimal");
                }
            }
        }
    }
    (satisfiable, unsatisfiable, lemmas)
}

#[test]
fn bit_vectors() {
    let (sat, unsat, _) = against_brute_force(1, false, None, 1500);
    assert!(sat > 100 && unsat > 100, "{sat} {unsat}");
}

#[test]
fn arrays_expanded() {
    let (sat, unsat, _) = against_brute_force(2, true, None, 200);
    assert!(sat > 20 && unsat > 20, "{sat} {unsat}");
}

#[test]
fn arrays_by_lemmas() {
    for (seed, eager) in [(3, 0), (4, 0), (5, 2)] {
        let (sat, unsat, lemmas) = against_brute_force(seed, true, Some(eager), 120);
        assert!(sat > 10 && unsat > 10 && lemmas > 50, "{sat} {unsat} {lemmas}");
    }
}

#[test]
fn long_chains_of_stores() {
    // Reads through 40 writes at free indices, against the same question asked of the whole table.
    for eager in [0, 8, 64] {
        let mut terms = Terms::new();
        let sort = Sort::Array { index: 8, element: 8 };
        let mut array = terms.symbol("a", sort);
        let wanted = terms.symbol("i", Sort::Bits(8));
        let mut clauses = Vec::new();
        for k in 0..40u128 {
            let index = terms.symbol(&format!("j{k}"), Sort::Bits(8));
            let value = terms.constant(8, k + 1);
            array = terms.store(array, index, value);
            clauses.push(terms.ne(index, wanted));
        }
        let read = terms.select(array, wanted);
        let base = terms.symbol("a", sort);
        let below = terms.select(base, wanted);
        let differ = terms.ne(read, below);
        let mut solver = Solver::new(&Limits::none());
        solver.set_eager_reads(eager);
        let mut query = clauses.clone();
        query.push(differ);
        assert_eq!(solver.check(&mut terms, &query), Ok(Answer::Unsat));
        // Without one of the inequalities, the read may hit that write.
        query.remove(17);
        assert_eq!(solver.check(&mut terms, &query), Ok(Answer::Sat));
        let model = solver.model(&terms);
        assert_eq!(terms.evaluate(read, &model), 18);
        assert!(satisfies(&terms, &model, &query));
    }
}

#[test]
fn floats_are_computed_where_the_question_needs_them() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let mul = FloatOp::nearest(FloatKind::Mul);
    let (left, right) = (terms.float(mul, x, y, 32), terms.float(mul, x, y, 32));
    let square = terms.float(mul, x, x, 32);
    let differ = terms.ne(left, right);
    let mut solver = Solver::new(&Limits::none());
    assert_eq!(solver.check(&mut terms, &[differ]), Ok(Answer::Unsat));
    assert_eq!(solver.statistics().float_circuits, 0);
    // A number whose square is 2.25; there is none whose square is -1.
    let (quarter, minus) = (terms.constant(32, 2.25f32.to_bits().into()), terms.constant(32, (-1f32).to_bits().into()));
    let (found, none) = (terms.eq(square, quarter), terms.eq(square, minus));
    assert_eq!(solver.check(&mut terms, &[found]), Ok(Answer::Sat));
    let model = solver.model(&terms);
    assert_eq!(f32::from_bits(terms.evaluate(x, &model) as u32).abs(), 1.5);
    assert_eq!(solver.check(&mut terms, &[none]), Ok(Answer::Unsat));
    assert_eq!(solver.statistics().float_circuits, 1);
}

fn enumeration(seed: u64, arrays: bool, eager: usize, rounds: usize) {
    let mut gen_ = generator(seed, arrays);
    let mut terms = Terms::new();
    let mut solver = Solver::new(&Limits::none());
    solver.set_eager_reads(eager);
    for _ in 0..rounds {
        let (raw, formula) = gen_.bits(&mut terms, 1, 4);
        let literals: Vec<Term> = (0..5).map(|_| gen_.bits(&mut terms, 1, 2).1).collect();
        let mut roots = literals.clone();
        roots.push(raw);
        let expected: BTreeSet<Vec<bool>> = models(&terms, &symbols(&terms, &roots))
            .iter()
            .filter(|model| terms.evaluate(raw, model) == 1)
            .map(|model| literals.iter().map(|&t| terms.evaluate(t, model) == 1).collect())
            .collect();
        let mut found = BTreeSet::new();
        let outcome = solver.all_sat(&mut terms, &[formula], &literals, |cube| {
            let mut all = vec![Vec::new()];
            for value in cube {
                let both = [false, true];
                let values = value.as_ref().map_or(&both[..], std::slice::from_ref);
                all = all
                    .iter()
                    .flat_map(|prefix: &Vec<bool>| values.iter().map(|&v| [prefix.as_slice(), &[v]].concat()))
                    .collect();
            }
            for assignment in all {
                assert!(found.insert(assignment), "cubes are disjoint");
            }
            ControlFlow::Continue(())
        });
        assert_eq!(outcome, Ok(()));
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn all_assignments() {
    enumeration(11, false, 8, 400);
    enumeration(12, true, 8, 100);
    enumeration(13, true, 0, 100);
}

#[test]
fn enumeration_ends_early_and_leaves_no_trace() {
    let mut terms = Terms::new();
    let bits: Vec<Term> = (0..6).map(|i| terms.symbol(&format!("b{i}"), Sort::BOOL)).collect();
    let mut solver = Solver::new(&Limits::none());
    let mut count = 0;
    let word = terms.symbol("word", Sort::Bits(6));
    let parts: Vec<Term> = (0..6).map(|i| terms.extract(word, i, 1)).collect();
    solver
        .all_sat(&mut terms, &[], &parts, |_| {
            count += 1;
            if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .expect("never stopped");
    assert_eq!(count, 3);
    let mut all = BTreeSet::new();
    solver
        .all_sat(&mut terms, &[], &bits, |cube| {
            all.insert(cube.to_vec());
            ControlFlow::Continue(())
        })
        .expect("never stopped");
    assert_eq!(all.len(), 1, "unrelated literals are one cube: {all:?}");
    let covered: usize = all.iter().map(|cube| 1 << cube.iter().filter(|value| value.is_none()).count()).sum();
    assert_eq!(covered, 64);
    assert_eq!(solver.check(&mut terms, &bits), Ok(Answer::Sat));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let run = || {
        let mut terms = Terms::new();
        let sort = Sort::Array { index: 8, element: 8 };
        let (mut x, mut array) = (terms.symbol("x", Sort::Bits(8)), terms.symbol("a", sort));
        let mut guard = terms.yes();
        for k in 0..50_000u32 {
            let y = terms.symbol(&format!("y{}", k % 7), Sort::Bits(8));
            x = if k % 2 == 0 { terms.xor(x, y) } else { terms.add(x, y) };
            let three = terms.constant(8, 3 + u128::from(k));
            let differ = terms.ne(x, three);
            guard = if k % 3 == 0 { terms.or(guard, differ) } else { terms.and(guard, differ) };
            if k % 10 == 0 {
                let at = terms.and(x, three);
                array = terms.store(array, at, y);
            }
        }
        let read = terms.select(array, x);
        let zero = terms.constant(8, 0);
        let hit = terms.eq(read, zero);
        let formula = terms.and(guard, hit);
        let mut map = robusto_logic::Substitution::new();
        let (x0, y0) = (terms.symbol("x", Sort::Bits(8)), terms.symbol("y0", Sort::Bits(8)));
        map.insert(x0, y0);
        let replaced = terms.substitute(formula, &mut map);
        assert!(terms.symbols(replaced).len() >= 7);
        assert!(terms.atoms(formula).len() > 100);
        assert!(terms.display(formula).to_string().len() > 100);
        assert!(terms.evaluate(formula, &Model::new()) <= 1);
        assert!(terms.conjuncts(formula).len() > 1);
        let mut solver = Solver::new(&Limits::none());
        let differ = differ_of(&mut terms);
        let quick = terms.and(guard, differ);
        assert_eq!(solver.check(&mut terms, &[quick]), Ok(Answer::Sat));
        assert!(robusto_logic::smt2::script(&mut terms, &[], &[formula], None).len() > 100_000);
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).expect("a thread").join().expect("no overflow");
}

#[test]
fn rules_do_not_recurse_as_deep_as_terms() {
    let run = || {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let [one, three, high] = [1, 3, 0xffff_0000].map(|k| terms.constant(32, k));
        let (mut mixed, mut masked, mut left, mut right) = (x, x, x, z);
        for _ in 0..100_000 {
            let sum = terms.add(mixed, one);
            mixed = terms.xor(sum, three);
            let or = terms.or(masked, high);
            let not = terms.xor(or, high);
            masked = terms.add(not, y);
            (left, right) = (terms.add(left, y), terms.add(right, y));
        }
        for t in [mixed, masked] {
            let equal = terms.eq(t, three);
            assert!(terms.symbols(equal).contains(&terms.as_symbol(x).expect("a symbol")));
            let low = terms.extract(t, 0, 8);
            assert_eq!(terms.width(low), 8);
        }
        let (same, difference) = (terms.eq(left, right), terms.sub(left, right));
        assert!(terms.width(same) == 1 && terms.width(difference) == 32);
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).expect("a thread").join().expect("no overflow");
}

fn differ_of(terms: &mut Terms) -> Term {
    let (a, b) = (terms.symbol("y1", Sort::Bits(8)), terms.symbol("y2", Sort::Bits(8)));
    terms.ne(a, b)
}

#[test]
fn stops_when_told() {
    // That multiplication is associative takes SAT solvers far longer than this test.
    let mut terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let (ab, bc) = (terms.mul(a, b), terms.mul(b, c));
    let (left, right) = (terms.mul(ab, c), terms.mul(a, bc));
    let conditions = [terms.ne(left, right)];
    // Of CPU time of this thread, as the machine may be busy.
    let start = thread_time();
    let most = start + Duration::from_millis(300);
    let limits = Limits::none().with_cpu(Some(Cpu { most, used: || Some(thread_time()) }));
    let mut solver = Solver::new(&limits);
    assert_eq!(solver.check(&mut terms, &conditions), Err(Stopped::Timeout));
    let late = thread_time() - start;
    assert!(late < Duration::from_millis(450), "stopped after {late:?}");
}

#[test]
fn tells_queries() {
    let mut terms = Terms::new();
    let x = terms.symbol("x|1", Sort::Bits(8));
    let three = terms.constant(8, 3);
    let (low, high) = (terms.ult(x, three), terms.ult(three, x));
    let texts: Arc<Mutex<Vec<(u64, String)>>> = Arc::default();
    let told = texts.clone();
    let log = QueryLog::new(move |number, text| told.lock().expect("one thread").push((number, text.to_owned())));
    let mut solver = Solver::new(&Limits::none());
    solver.set_log(Some(log));
    solver.assert(&mut terms, low);
    assert_eq!(solver.check(&mut terms, &[]), Ok(Answer::Sat));
    assert_eq!(solver.check(&mut terms, &[high]), Ok(Answer::Unsat));
    let texts = texts.lock().expect("one thread");
    let [(1, first), (2, second)] = &texts[..] else { panic!("{texts:?}") };
    assert!(first.contains(":status sat") && second.contains(":status unsat"));
    assert_eq!(second.matches("(assert ").count(), 2);
}

/// What bounds refute needs no circuit; a model is one of the operator, whatever circuits were needed for it.
#[test]
fn remainders_are_computed_as_far_as_needed() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let single = |terms: &mut Terms, value: f32| terms.constant(32, value.to_bits().into());
    let fmod = FloatOp::nearest(FloatKind::Fmod);
    let [circle, thousand, million, rest] = [360.0, 1000.0, 1e6, 0.5].map(|value| single(&mut terms, value));
    let infinity = single(&mut terms, f32::INFINITY);
    let angle = terms.float(fmod, x, circle, 32);
    // x is a positive number, so the bits are ordered as the numbers are.
    let finite = terms.ult(x, infinity);
    let large = terms.ule(circle, angle);
    let mut solver = Solver::new(&Limits::none());
    assert_eq!(solver.check(&mut terms, &[finite, large]), Ok(Answer::Unsat));
    assert_eq!(solver.statistics().float_circuits, 0, "bounds are enough");
    let remainder = terms.float(fmod, x, y, 32);
    let (is_rest, above) = (terms.eq(remainder, rest), terms.ult(thousand, x));
    let (below, small) = (terms.ult(x, million), terms.ult(y, thousand));
    assert_eq!(solver.check(&mut terms, &[is_rest, above, below, small]), Ok(Answer::Sat));
    let model = solver.model(&terms);
    let value = |t: Term| f32::from_bits(terms.evaluate(t, &model) as u32);
    assert_eq!((value(x) % value(y), value(remainder)), (0.5, 0.5));
    // A number that is 3 modulo 8 is odd.
    let [three, two, eight, one] = [3.0, 2.0, 8.0, 1.0].map(|value| single(&mut terms, value));
    let (by_eight, by_two) = (terms.float(fmod, x, eight, 32), terms.float(fmod, x, two, 32));
    let (is_three, is_one) = (terms.eq(by_eight, three), terms.eq(by_two, one));
    let is_even = terms.not(is_one);
    assert_eq!(solver.check(&mut terms, &[below, is_three, is_even]), Ok(Answer::Unsat));
}
