//! Formulas with two quantifiers against enumeration, and against DepQBF if it is installed.

use robusto_limits::Limits;
use robusto_logic::qbf::{Qbf, Question, qdimacs};
use robusto_logic::{Model, Sort, Symbol, Term, Terms};
use robusto_testing::Random;
use rustc_hash::FxHashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A random formula over a few variables of each kind.
struct Sample {
    terms: Terms,
    universal: Vec<Symbol>,
    existential: Vec<Symbol>,
    selectors: FxHashSet<Symbol>,
    premise: Term,
    conclusion: Term,
}

fn formula(random: &mut Random, terms: &mut Terms, leaves: &[Term], depth: usize) -> Term {
    if depth == 0 || random.one_in(6) {
        let leaf = random.pick(leaves);
        return if random.one_in(2) { terms.not(leaf) } else { leaf };
    }
    let (a, b) = (formula(random, terms, leaves, depth - 1), formula(random, terms, leaves, depth - 1));
    match random.below(5) {
        0 => terms.and(a, b),
        1 => terms.or(a, b),
        2 => terms.eq(a, b),
        3 => terms.xor(a, b),
        _ => {
            let c = formula(random, terms, leaves, depth - 1);
            terms.ite(a, b, c)
        }
    }
}

/// Half of them have the form of the inclusion of one set in a union of others, which is what the engines ask.
fn sample(seed: u64) -> Sample {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let count = 1 + random.below(5usize);
    let x: Vec<Term> = (0..count).map(|i| terms.symbol(&format!("x{i}"), Sort::BOOL)).collect();
    let count = 1 + random.below(6usize);
    let y: Vec<Term> = (0..count).map(|i| terms.symbol(&format!("y{i}"), Sort::BOOL)).collect();
    let premise = formula(&mut random, &mut terms, &x, 3);
    let conclusion = if random.one_in(2) {
        let alternatives = 1 + random.below(3usize);
        let values = 1 + random.below(3usize);
        let left: Vec<Term> = (0..values).map(|_| formula(&mut random, &mut terms, &x, 2)).collect();
        let mut any = terms.no();
        for _ in 0..alternatives {
            let mut all = formula(&mut random, &mut terms, &y, 2);
            for &left in &left {
                let right = formula(&mut random, &mut terms, &y, 2);
                let equal = terms.eq(left, right);
                all = terms.and(all, equal);
            }
            any = terms.or(any, all);
        }
        any
    } else {
        let both: Vec<Term> = x.iter().chain(&y).copied().collect();
        let parts = 1 + random.below(3usize);
        let parts: Vec<Term> = (0..parts).map(|_| formula(&mut random, &mut terms, &both, 3)).collect();
        terms.and_all(&parts)
    };
    let symbols = |list: &[Term]| list.iter().filter_map(|&t| terms.as_symbol(t)).collect::<Vec<_>>();
    let (universal, existential) = (symbols(&x), symbols(&y));
    let selectors = existential.iter().copied().filter(|_| random.one_in(4)).collect();
    Sample { terms, universal, existential, selectors, premise, conclusion }
}

fn valuations(symbols: &[Symbol]) -> impl Iterator<Item = Model> + '_ {
    (0..1u32 << symbols.len()).map(|bits| {
        let mut model = Model::new();
        for (i, &symbol) in symbols.iter().enumerate() {
            model.set(symbol, u128::from(bits >> i & 1));
        }
        model
    })
}

/// Whether some Y fits an X.
fn answerable(sample: &Sample, x: &Model) -> bool {
    valuations(&sample.existential).any(|mut model| {
        sample.universal.iter().for_each(|&symbol| model.set(symbol, x.get(symbol)));
        sample.terms.evaluate(sample.conclusion, &model) == 1
    })
}

#[test]
fn agrees_with_enumeration() {
    const FORMULAS: u64 = 4000;
    let (mut valid, mut quantified) = (0, 0);
    for seed in 0..FORMULAS {
        let mut sample = sample(seed);
        let expected = valuations(&sample.universal)
            .all(|x| sample.terms.evaluate(sample.premise, &x) == 0 || answerable(&sample, &x));
        let mut qbf = Qbf::new(&Limits::none());
        let existential = sample.existential.iter().copied().collect();
        let question = Question {
            existential: &existential,
            selectors: &sample.selectors,
            premise: sample.premise,
            conclusion: sample.conclusion,
        };
        let answer = qbf.counterexample(&mut sample.terms, question).expect("no limit");
        assert_eq!(answer.is_none(), expected, "seed {seed}");
        if let Some(x) = answer {
            assert_eq!(sample.terms.evaluate(sample.premise, &x), 1, "seed {seed}");
            assert!(!answerable(&sample, &x), "seed {seed}");
        }
        valid += u64::from(expected);
        quantified += u64::from(qbf.statistics().answers > 0);
    }
    let share = valid * 100 / FORMULAS;
    assert!((30..=70).contains(&share), "{share} % are valid");
    assert!(quantified > FORMULAS / 4, "only {quantified} needed an answer");
}

/// 200 variables that Y must follow are answered by functions; constants would take 2^200 answers.
#[test]
fn functions_answer_at_once() {
    let mut terms = Terms::new();
    let (mut premise, mut one, mut other) = (terms.yes(), terms.yes(), terms.yes());
    let selector = terms.symbol("s", Sort::BOOL);
    let mut existential = FxHashSet::default();
    existential.extend(terms.as_symbol(selector));
    let mut last = terms.no();
    for i in 0..200 {
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(&format!("{name}{i}"), Sort::BOOL));
        existential.extend([y, z].into_iter().filter_map(|t| terms.as_symbol(t)));
        // Either y or z must be x; where it is y, more is asked, which the premise gives.
        let value = terms.ite(selector, y, z);
        let equal = terms.eq(x, value);
        one = terms.and(one, equal);
        let implied = terms.implies(last, y);
        other = terms.and(other, implied);
        let given = terms.implies(last, x);
        premise = terms.and(premise, given);
        last = x;
    }
    let guard = terms.implies(selector, other);
    let conclusion = terms.and(one, guard);
    let mut qbf = Qbf::new(&Limits::none());
    let selectors = FxHashSet::default();
    let question = Question { existential: &existential, selectors: &selectors, premise, conclusion };
    assert_eq!(qbf.is_valid(&mut terms, question), Ok(true));
    assert!(qbf.statistics().answers <= 4, "{:?}", qbf.statistics());
}

/// Without Y, one question to the solver decides.
#[test]
fn definitions_leave_no_quantifier() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::BOOL));
    let existential = [y, z].into_iter().filter_map(|t| terms.as_symbol(t)).collect();
    let selectors = FxHashSet::default();
    let negated = terms.not(x);
    let (a, b) = (terms.eq(y, negated), terms.xor(z, y));
    let conclusion = terms.and(a, b);
    let premise = terms.yes();
    let mut qbf = Qbf::new(&Limits::none());
    let question = Question { existential: &existential, selectors: &selectors, premise, conclusion };
    assert_eq!(qbf.is_valid(&mut terms, question), Ok(true));
    assert_eq!((qbf.statistics().plain, qbf.statistics().answers), (1, 0));
}

#[test]
fn the_text_is_prenex() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BOOL));
    let existential = terms.as_symbol(y).into_iter().collect();
    let selectors = FxHashSet::default();
    let premise = terms.yes();
    let conclusion = terms.and(x, y);
    let question = Question { existential: &existential, selectors: &selectors, premise, conclusion };
    let text = qdimacs(&mut terms, question, &Limits::none()).expect("no limit");
    assert_eq!(text, "p cnf 3 4\na 3 0\ne 1 2 0\n-1 2 0\n-1 3 0\n1 -2 -3 0\n1 0\n");
}

/// What DepQBF says of a text; `None` if it is not installed.
fn depqbf(text: &str) -> Option<bool> {
    let mut child = Command::new("depqbf").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).expect("depqbf reads");
    match child.wait().expect("depqbf ends").code() {
        Some(10) => Some(true),
        Some(20) => Some(false),
        code => panic!("depqbf ended with {code:?}"),
    }
}

#[test]
fn agrees_with_depqbf() {
    for seed in 0..200 {
        let mut sample = sample(seed);
        let existential = sample.existential.iter().copied().collect();
        let question = Question {
            existential: &existential,
            selectors: &sample.selectors,
            premise: sample.premise,
            conclusion: sample.conclusion,
        };
        let text = qdimacs(&mut sample.terms, question, &Limits::none()).expect("no limit");
        let Some(expected) = depqbf(&text) else {
            eprintln!("skipped: depqbf is not installed (Debian: apt-get install depqbf)");
            return;
        };
        let answer = Qbf::new(&Limits::none()).is_valid(&mut sample.terms, question);
        assert_eq!(answer, Ok(expected), "seed {seed}:\n{text}");
    }
}
