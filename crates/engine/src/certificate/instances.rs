//! Formulas that hold for every index, and the instances of them that a proof needs.
//!
//! A formula of a certificate may speak of an index that stands for all ([`any_index`], written `any`): what it says holds
//! whatever that index is. So `0 ≤ any < i ⇒ a[any] = 42` is said of all elements of a segment. It is shown for an index
//! that nothing is known of, and where it is assumed, it may be assumed of every index.
//!
//! Of which ones is up to whoever reasons, and no answer becomes wrong by the choice. Here these are the indices at which the
//! paths in question access memory: with `a[any]` at the address `p + 4·any` in the formula and an access at `q` on a path,
//! the index is `(q − p) / 4`, if that is a sum of terms with whole coefficients (Monniaux, Gonnord: *Cell morphing: from array
//! programs to array-free Horn clauses*, SAS 2016, instantiate at the same places).

use robusto_analyses::symbolic::Encoder;
use robusto_logic::term::fold;
use robusto_logic::{BinaryOp, Node, Sort, Substitution, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Most instances for the paths from one place.
const MAX_INSTANCES: usize = 24;

/// Name of the index; no cell and no choice has such a name.
const NAME: &str = "any!index";

/// The index that stands for all, as wide as a pointer.
pub fn any_index(encoder: &mut Encoder<'_>) -> Term {
    let width = encoder.facts().program.model.pointer_bits();
    encoder.terms.symbol(NAME, Sort::Bits(width.into()))
}

/// Whether a symbol is the index that stands for all.
pub fn is_any_index(encoder: &Encoder<'_>, symbol: Symbol) -> bool {
    encoder.terms.symbol_name(symbol) == NAME
}

/// A sum of terms with coefficients, and a constant, modulo 2^w.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// Terms that are no sums themselves, each with what it is multiplied with; none with 0.
    pub coefficients: BTreeMap<Term, u128>,
    /// What is added.
    pub constant: u128,
    /// Bits.
    pub width: u16,
}

impl Linear {
    /// A bit-vector as a sum.
    pub fn of(terms: &Terms, t: Term) -> Self {
        let width = terms.width(t);
        let mut sum = Self { coefficients: BTreeMap::new(), constant: 0, width };
        let mut todo = vec![(t, 1u128)];
        while let Some((t, factor)) = todo.pop() {
            let constant = |t: Term| terms.as_const(t);
            match terms.node(t) {
                Node::Const { bits, .. } => sum.constant = sum.constant.wrapping_add(bits.wrapping_mul(factor)),
                Node::Neg(x) => todo.push((x, factor.wrapping_neg())),
                Node::Binary(BinaryOp::Add, x, y) => todo.extend([(x, factor), (y, factor)]),
                Node::Binary(BinaryOp::Sub, x, y) => todo.extend([(x, factor), (y, factor.wrapping_neg())]),
                Node::Binary(BinaryOp::Mul, x, y) if constant(y).is_some() => {
                    todo.push((x, factor.wrapping_mul(constant(y).expect("it is one"))));
                }
                Node::Binary(BinaryOp::Shl, x, y) if constant(y).is_some_and(|by| by < u128::from(width)) => {
                    todo.push((x, factor.wrapping_mul(1 << constant(y).expect("it is one"))));
                }
                _ => {
                    let coefficient = sum.coefficients.entry(t).or_default();
                    *coefficient = coefficient.wrapping_add(factor);
                }
            }
        }
        sum.reduce();
        sum
    }

    fn reduce(&mut self) {
        let width = self.width;
        self.constant = fold::mask(width, self.constant);
        self.coefficients.values_mut().for_each(|c| *c = fold::mask(width, *c));
        self.coefficients.retain(|_, c| *c != 0);
    }

    /// The coefficient of a term.
    pub fn coefficient(&self, t: Term) -> u128 {
        self.coefficients.get(&t).copied().unwrap_or(0)
    }

    /// The value that a term has to have for this sum to be equal to another: `(other − rest) / coefficient`, if the
    /// coefficients of that are whole.
    pub fn solve(&self, terms: &mut Terms, unknown: Term, other: &Linear) -> Option<Term> {
        let divisor = fold::signed(self.width, self.coefficient(unknown));
        if divisor == 0 || self.width != other.width {
            return None;
        }
        let mut rest = other.clone();
        rest.constant = rest.constant.wrapping_sub(self.constant);
        for (&t, &c) in self.coefficients.iter().filter(|&(&t, _)| t != unknown) {
            let coefficient = rest.coefficients.entry(t).or_default();
            *coefficient = coefficient.wrapping_sub(c);
        }
        rest.reduce();
        let divided = |c: u128| {
            let c = fold::signed(self.width, c);
            (c % divisor == 0).then(|| fold::mask(self.width, (c / divisor) as u128))
        };
        let constant = divided(rest.constant)?;
        let mut sum = terms.constant(self.width, 0);
        for (&t, &c) in &rest.coefficients {
            let c = divided(c)?;
            let c = terms.constant(self.width, c);
            let product = terms.mul(t, c);
            sum = terms.add(sum, product);
        }
        let constant = terms.constant(self.width, constant);
        Some(terms.add(sum, constant))
    }
}

/// Accesses to arrays.
#[derive(Clone, Default, Debug)]
pub struct Accesses {
    /// The symbols of the arrays that may be meant, and the address; reads and writes.
    list: Vec<(Vec<Symbol>, Term)>,
}

impl Accesses {
    /// The accesses of some terms.
    pub fn of(terms: &Terms, roots: &[Term]) -> Self {
        let mut arrays: FxHashMap<Term, Vec<Symbol>> = FxHashMap::default();
        let mut list: Vec<(Vec<Symbol>, Term)> = Vec::new();
        // Operands come first.
        for t in terms.subterms(roots) {
            let of = |arrays: &FxHashMap<Term, Vec<Symbol>>, t: Term| arrays.get(&t).cloned().unwrap_or_default();
            let both = |arrays: &FxHashMap<Term, Vec<Symbol>>, a: Term, b: Term| {
                let mut all = of(arrays, a);
                all.extend(of(arrays, b));
                all.sort_unstable();
                all.dedup();
                all
            };
            let symbols = match terms.node(t) {
                Node::Symbol(symbol) if matches!(terms.sort(t), Sort::Array { .. }) => vec![symbol],
                Node::Store(array, at, _) => {
                    list.push((of(&arrays, array), at));
                    of(&arrays, array)
                }
                Node::Select(array, at) => {
                    list.push((of(&arrays, array), at));
                    continue;
                }
                Node::Ite(_, a, b) if matches!(terms.sort(t), Sort::Array { .. }) => both(&arrays, a, b),
                Node::Splice { base, source, .. } => both(&arrays, base, source),
                _ => continue,
            };
            arrays.insert(t, symbols);
        }
        let mut seen = FxHashSet::default();
        list.retain(|access| seen.insert(access.clone()));
        Self { list }
    }

    /// The accesses one by one: the arrays that may be meant, and the address.
    pub fn iter(&self) -> impl Iterator<Item = (&[Symbol], Term)> {
        self.list.iter().map(|(arrays, at)| (&arrays[..], *at))
    }

    /// The indices at which a formula speaks of what is accessed; not the index that stands for all.
    pub fn indices(&self, terms: &mut Terms, any: Term, formula: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::from_iter([any]);
        for (arrays, pattern) in Accesses::of(terms, &[formula]).list {
            let pattern = Linear::of(terms, pattern);
            if pattern.coefficient(any) == 0 {
                continue;
            }
            for (others, at) in &self.list {
                if !arrays.iter().any(|array| others.contains(array)) {
                    continue;
                }
                let at = Linear::of(terms, *at);
                if at.coefficient(any) == 0
                    && let Some(index) = pattern.solve(terms, any, &at)
                    && seen.insert(index)
                {
                    found.push(index);
                }
            }
        }
        found.truncate(MAX_INSTANCES);
        found
    }
}

/// A formula of an index in place of the one that stands for all.
pub fn at_index(terms: &mut Terms, any: Term, index: Term, formula: Term) -> Term {
    let mut map = Substitution::new();
    map.insert(any, index);
    terms.substitute(formula, &mut map)
}
