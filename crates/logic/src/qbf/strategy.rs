//! Existential variables as functions of the universal ones.
//!
//! Everything here makes a conclusion stronger, step by step, until no existential variable is left, and keeps it true in a
//! given model: parts that are equations define variables; a condition of an `if` takes its value in the model, and that it
//! has this value becomes a part of its own; of a disjunction a true member stays; the rest takes its value in the model.

use crate::term::BinaryOp::{And, Eq, Or};
use crate::term::{Evaluator, Model, Node, Substitution, Symbol, Term, Terms};
use robusto_limits::{Limits, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often conditions and disjunctions are decided before all that is left becomes constant. Each decision removes at
/// least one of them, but a pass over a large conclusion has a price.
const DECISIONS: usize = 64;

/// The existential variables of a formula, and which terms have some.
pub(super) struct Existentials<'a> {
    set: &'a FxHashSet<Symbol>,
    selectors: &'a FxHashSet<Symbol>,
    known: FxHashMap<Term, bool>,
}

impl<'a> Existentials<'a> {
    pub(super) fn new(set: &'a FxHashSet<Symbol>, selectors: &'a FxHashSet<Symbol>) -> Self {
        Self { set, selectors, known: FxHashMap::default() }
    }

    /// Whether there are some in a term.
    pub(super) fn occur(&mut self, terms: &Terms, t: Term) -> bool {
        if let Some(&known) = self.known.get(&t) {
            return known;
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            if let Node::Symbol(symbol) = node {
                self.known.insert(top, self.set.contains(&symbol));
                continue;
            }
            let operands = node.operands();
            let missing = operands.iter().filter(|&operand| !self.known.contains_key(operand));
            let before = stack.len();
            stack.extend(missing.copied());
            if stack.len() == before {
                let any = operands.iter().any(|operand| self.known[operand]);
                self.known.insert(top, any);
            }
        }
        self.known[&t]
    }

    /// An equivalent conclusion without the variables that are defined by equations.
    pub(super) fn eliminate_definitions(
        &mut self,
        terms: &mut Terms,
        conclusion: Term,
        limits: &Limits,
    ) -> Result<Term, Stopped> {
        let parts = terms.conjuncts(conclusion);
        let parts = self.eliminate(terms, parts, limits)?;
        Ok(terms.and_all(&parts))
    }

    /// A formula over universal variables that implies the conclusion for some values of the others, and holds in the
    /// model, in which the conclusion holds.
    pub(super) fn strategy(
        &mut self,
        terms: &mut Terms,
        conclusion: Term,
        model: &Model,
        limits: &Limits,
    ) -> Result<Term, Stopped> {
        let top = self.true_member(terms, conclusion, model);
        let mut constants = Substitution::new();
        let mut used: Vec<Symbol> = terms.symbols(top).into_iter().filter(|s| self.selectors.contains(s)).collect();
        used.retain(|symbol| self.set.contains(symbol));
        for symbol in used {
            self.fix(terms, &mut constants, symbol, model);
        }
        let chosen = terms.substitute(top, &mut constants);
        let mut parts = terms.conjuncts(chosen);
        for _ in 0..DECISIONS {
            parts = self.eliminate(terms, parts, limits)?;
            if !parts.iter().any(|&part| self.occur(terms, part)) {
                return Ok(terms.and_all(&parts));
            }
            if !self.decide_conditions(terms, &mut parts, model) && !self.decide_disjunctions(terms, &mut parts, model)
            {
                break;
            }
        }
        let rest = terms.and_all(&parts);
        let mut constants = Substitution::new();
        let open: Vec<Symbol> = terms.symbols(rest).into_iter().filter(|symbol| self.set.contains(symbol)).collect();
        for symbol in open {
            self.fix(terms, &mut constants, symbol, model);
        }
        Ok(terms.substitute(rest, &mut constants))
    }

    fn fix(&self, terms: &mut Terms, constants: &mut Substitution, symbol: Symbol, model: &Model) {
        let width = terms.width(terms.symbol_term(symbol));
        let value = terms.constant(width, model.get(symbol));
        constants.insert_symbol(terms, symbol, value);
    }

    /// Replaces variables by their definitions until no part is one.
    fn eliminate(&mut self, terms: &mut Terms, mut parts: Vec<Term>, limits: &Limits) -> Result<Vec<Term>, Stopped> {
        loop {
            limits.look()?;
            // Definitions that have nothing to do with each other are used at once.
            let mut batch = Substitution::new();
            let mut defined: FxHashSet<Symbol> = FxHashSet::default();
            let mut read: FxHashSet<Symbol> = FxHashSet::default();
            for &part in &parts {
                let Some((symbol, value)) = self.definition(terms, part) else { continue };
                if defined.contains(&symbol) || read.contains(&symbol) {
                    continue;
                }
                if self.occur(terms, value) {
                    let symbols = terms.symbols(value);
                    if symbols.iter().any(|s| *s == symbol || defined.contains(s)) {
                        continue;
                    }
                    read.extend(symbols);
                }
                defined.insert(symbol);
                batch.insert_symbol(terms, symbol, value);
            }
            if batch.is_empty() {
                return Ok(parts);
            }
            let mut next = Vec::with_capacity(parts.len());
            for part in parts {
                let part = terms.substitute(part, &mut batch);
                next.extend(terms.conjuncts(part));
            }
            next.sort_unstable();
            next.dedup();
            parts = next;
        }
    }

    /// The variable that a part defines, with its value.
    fn definition(&mut self, terms: &mut Terms, part: Term) -> Option<(Symbol, Term)> {
        if !self.occur(terms, part) {
            return None;
        }
        let (inner, truth) = match terms.node(part) {
            Node::Not(inner) => (inner, false),
            _ => (part, true),
        };
        match terms.node(inner) {
            Node::Symbol(symbol) if terms.width(inner) == 1 => Some((symbol, terms.truth(truth))),
            // Of width 1, a negated equation is an equation too.
            Node::Binary(Eq, a, b) if truth || terms.width(a) == 1 => {
                let (symbol, value) = self.side(terms, a, b).or_else(|| self.side(terms, b, a))?;
                Some((symbol, if truth { value } else { terms.not(value) }))
            }
            _ => None,
        }
    }

    /// `a = value` as the definition of a variable that is `a`.
    fn side(&mut self, terms: &Terms, a: Term, value: Term) -> Option<(Symbol, Term)> {
        let symbol = terms.as_symbol(a).filter(|symbol| self.set.contains(symbol))?;
        let inside = self.occur(terms, value) && terms.symbols(value).contains(&symbol);
        (!inside).then_some((symbol, value))
    }

    /// Gives conditions that parts depend on their values in the model.
    fn decide_conditions(&mut self, terms: &mut Terms, parts: &mut Vec<Term>, model: &Model) -> bool {
        let mut decided = Vec::new();
        let mut seen = FxHashSet::default();
        {
            let mut roots = Vec::new();
            for &part in parts.iter() {
                if self.occur(terms, part) {
                    let inner = if let Node::Not(inner) = terms.node(part) { inner } else { part };
                    roots.push(inner);
                    if let Node::Binary(Eq, a, b) = terms.node(inner) {
                        roots.extend([a, b]);
                    }
                }
            }
            let mut values = Evaluator::new(terms, model);
            for mut at in roots {
                loop {
                    match terms.node(at) {
                        Node::Not(inner) => at = inner,
                        Node::Ite(condition, yes, no) => {
                            let holds = values.value(condition) == 1;
                            if self.occur(terms, condition) && seen.insert(condition) {
                                decided.push((condition, holds));
                            }
                            at = if holds { yes } else { no };
                        }
                        _ => break,
                    }
                }
            }
        }
        let mut map = Substitution::new();
        for &(condition, holds) in &decided {
            let value = terms.truth(holds);
            map.insert(condition, value);
        }
        let mut next = Vec::new();
        for &part in parts.iter() {
            let part = terms.substitute(part, &mut map);
            next.extend(terms.conjuncts(part));
        }
        for &(condition, holds) in &decided {
            let part = if holds { condition } else { terms.not(condition) };
            next.extend(terms.conjuncts(part));
        }
        next.sort_unstable();
        next.dedup();
        *parts = next;
        !decided.is_empty()
    }

    /// Replaces the disjunctions among the parts by members that are true in the model.
    fn decide_disjunctions(&mut self, terms: &mut Terms, parts: &mut Vec<Term>, model: &Model) -> bool {
        let mut next = Vec::new();
        let mut decided = false;
        for &part in parts.iter() {
            let member = if self.occur(terms, part) { self.true_member(terms, part, model) } else { part };
            decided |= member != part;
            next.extend(terms.conjuncts(member));
        }
        next.sort_unstable();
        next.dedup();
        *parts = next;
        decided
    }

    /// A member of a disjunction that is true in the model; the formula itself if it is no disjunction.
    fn true_member(&self, terms: &mut Terms, mut t: Term, model: &Model) -> Term {
        loop {
            let members = match terms.node(t) {
                Node::Binary(Or, a, b) if terms.width(t) == 1 => [a, b],
                Node::Not(inner) => match terms.node(inner) {
                    Node::Binary(And, a, b) if terms.width(inner) == 1 => [terms.not(a), terms.not(b)],
                    _ => return t,
                },
                _ => return t,
            };
            let mut values = Evaluator::new(terms, model);
            match members.into_iter().find(|&member| values.value(member) == 1) {
                Some(member) => t = member,
                None => return t,
            }
        }
    }
}
