//! The same pairs with fewer choices: what only the guard speaks of is existential, and much of it can go.
//!
//! Path edges that are copied, to callees as entries and to callers as summaries, carry the whole history of their states.
//! Equations and literals of the guard define choices; parts of the guard that share no choice with the values are
//! satisfiable on their own, since the guard is; and a choice in one part only, of few nodes, is replaced by both truth
//! values. Exact, as each step is an equivalence under ∃.

use super::{Origin, PathEdge, PathId, Symbolic};
use robusto_limits::Stopped;
use robusto_logic::{BinaryOp, Node, Substitution, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of this many nodes at most may be doubled to lose a choice.
const DOUBLED: usize = 64;
/// Rounds; each removes a choice, and most path edges need few.
const ROUNDS: usize = 100;

impl Symbolic<'_> {
    /// A path edge for the same pairs, with fewer choices where that is easy.
    pub fn compact(&mut self, id: PathId) -> Result<PathId, Stopped> {
        let path = self.edge(id).clone();
        let inputs = path.entry.len();
        let mut values: Vec<Term> = path.entry.iter().chain(path.now.iter()).copied().collect();
        let mut parts = self.terms.conjuncts(path.guard);
        for _ in 0..ROUNDS {
            self.limits.look()?;
            if !self.use_definitions(&mut parts, &mut values)
                && !self.drop_unconnected(&mut parts, &values)
                && !self.expand_lonely(&mut parts, &values)
            {
                break;
            }
        }
        let guard = self.terms.and_all(&parts);
        if guard == path.guard {
            return Ok(id);
        }
        let now = values.split_off(inputs).into();
        Ok(self.push(PathEdge { entry: values.into(), now, guard, origin: Origin::Compact { from: id }, ..path }))
    }

    /// Replaces choices that the guard defines.
    fn use_definitions(&mut self, parts: &mut Vec<Term>, values: &mut [Term]) -> bool {
        let mut map = Substitution::new();
        let mut busy: FxHashSet<Symbol> = FxHashSet::default();
        for &part in parts.iter() {
            let Some((symbol, value)) = self.definition(part) else { continue };
            let read = self.symbols_of(&[value]);
            if read.contains(&symbol) || busy.contains(&symbol) || !read.is_disjoint(&busy) {
                continue;
            }
            busy.extend(read);
            busy.insert(symbol);
            map.insert_symbol(&self.terms, symbol, value);
        }
        if map.is_empty() {
            return false;
        }
        let mut next = Vec::new();
        for &part in parts.iter() {
            let part = self.terms.substitute(part, &mut map);
            next.extend(self.terms.conjuncts(part));
        }
        next.sort_unstable();
        next.dedup();
        *parts = next;
        for value in values {
            *value = self.terms.substitute(*value, &mut map);
        }
        true
    }

    fn definition(&mut self, part: Term) -> Option<(Symbol, Term)> {
        let (inner, truth) = match self.terms.node(part) {
            Node::Not(inner) => (inner, false),
            _ => (part, true),
        };
        match self.terms.node(inner) {
            Node::Symbol(symbol) => Some((symbol, self.terms.truth(truth))),
            Node::Binary(BinaryOp::Eq, a, b) => {
                let (symbol, value) = match (self.terms.as_symbol(a), self.terms.as_symbol(b)) {
                    (Some(symbol), _) => (symbol, b),
                    (None, Some(symbol)) => (symbol, a),
                    (None, None) => return None,
                };
                Some((symbol, if truth { value } else { self.terms.not(value) }))
            }
            _ => None,
        }
    }

    /// Drops the parts that share no choice with the values, directly or through other parts.
    fn drop_unconnected(&mut self, parts: &mut Vec<Term>, values: &[Term]) -> bool {
        let mut connected = self.symbols_of(values);
        let mut open: Vec<(Term, FxHashSet<Symbol>)> =
            parts.iter().map(|&part| (part, self.symbols_of(&[part]))).collect();
        let before = parts.len();
        parts.clear();
        loop {
            let (near, far): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(_, symbols)| !symbols.is_disjoint(&connected));
            if near.is_empty() {
                break;
            }
            for (part, symbols) in near {
                parts.push(part);
                connected.extend(symbols);
            }
            open = far;
        }
        parts.sort_unstable();
        parts.len() < before
    }

    /// Replaces a choice that one small part has, and nothing else, by both truth values.
    fn expand_lonely(&mut self, parts: &mut Vec<Term>, values: &[Term]) -> bool {
        let outside = self.symbols_of(values);
        let mut only: FxHashMap<Symbol, Option<usize>> = FxHashMap::default();
        for (i, &part) in parts.iter().enumerate() {
            for symbol in self.symbols_of(&[part]) {
                only.entry(symbol).and_modify(|place| *place = None).or_insert(Some(i));
            }
        }
        let lonely = only.into_iter().filter_map(|(symbol, place)| Some((place?, symbol)));
        let mut lonely: Vec<(usize, Symbol)> = lonely.filter(|(_, symbol)| !outside.contains(symbol)).collect();
        lonely.sort_unstable();
        lonely.dedup_by_key(|(place, _)| *place);
        let mut changed = false;
        for (place, symbol) in lonely {
            if self.terms.subterms(&[parts[place]]).len() > DOUBLED {
                continue;
            }
            let mut either = self.terms.no();
            for truth in [false, true] {
                let mut map = Substitution::new();
                let value = self.terms.truth(truth);
                map.insert_symbol(&self.terms, symbol, value);
                let half = self.terms.substitute(parts[place], &mut map);
                either = self.terms.or(either, half);
            }
            parts[place] = either;
            changed = true;
        }
        if changed {
            let all = std::mem::take(parts);
            for part in all {
                parts.extend(self.terms.conjuncts(part));
            }
            parts.sort_unstable();
            parts.dedup();
        }
        changed
    }
}
