//! Boolean abstraction of formulas with few values, by decision diagrams.
//!
//! The solver enumerates the combinations of predicates that a block allows: one query each, on a formula with all of the
//! block. Programs that switch on states and events have blocks with hundreds of branches and thousands of combinations,
//! but their variables take few values, or are compared with few. There ψ ∧ φ is a set over the numbers of their
//! [`ranges`], each predicate at the block's end is a function of these, and the abstraction is the image
//! ∃x. (ψ ∧ φ)(x) ∧ ⋀ᵢ (vᵢ ⇔ pᵢ(x)), with each x quantified as soon as nothing speaks of it any more.
//! (`Problem04` of RERS 2012: 246 abstractions took 5778 queries and 50 s; each takes 10 ms now.)
//!
//! | formula | here |
//! |---|---|
//! | a truth value | a diagram over the bits of ranges |
//! | a word | its leaves, which are terms without a case distinction, each with the diagram of where it is taken |
//! | an operator on words | the same on each combination of leaves, simplified |
//! | a comparison of leaves | after simplification a constant, or a symbol against a constant; anything else is not for us |
//!
//! Exact: ranges of different symbols do not depend on each other, and no range is empty. What is not of this kind, or
//! takes more than [`NODES`], is left to the solver.

mod ranges;

use super::Precision;
use super::question::{Failure, Question};
use ranges::{Comparison, Ranges};
use robusto_diagram::{Bdd, Diagrams, Full, StoreSize, VarIndex};
use robusto_limits::Limits;
use robusto_logic::{Node, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most nodes, with those of all terms met so far. (`Problem05` of RERS 2012 has 0.9 million.)
const NODES: usize = 1 << 23;

/// Most leaves of a word.
const LEAVES: usize = 64;

/// Questions that may need more than [`NODES`] before no more are tried.
const TRIES: u32 = 2;

/// What a term is, before anything is known of ranges.
#[derive(Clone, Debug)]
enum Shape {
    /// A truth value.
    Truth,
    /// A word with these leaves.
    Word(Rc<[Term]>),
    /// Neither of them with few values.
    Foreign,
}

/// Computes abstractions of formulas with few values.
pub struct Finite {
    shapes: FxHashMap<Term, Shape>,
    ranges: Ranges,
    diagrams: Diagrams,
    /// The bits of the number of a symbol's range.
    bits: BTreeMap<Symbol, Vec<VarIndex>>,
    /// The variables of predicates, here, and the symbol beside which they stand.
    predicates: BTreeMap<VarIndex, (VarIndex, Option<Symbol>)>,
    truths: FxHashMap<Term, Bdd>,
    words: FxHashMap<Term, Rc<[(Term, Bdd)]>>,
    failures: u32,
    limits: Limits,
}

impl Finite {
    /// Knows no formula yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            shapes: FxHashMap::default(),
            ranges: Ranges::default(),
            diagrams: store(),
            bits: BTreeMap::new(),
            predicates: BTreeMap::new(),
            truths: FxHashMap::default(),
            words: FxHashMap::default(),
            failures: 0,
            limits: limits.clone(),
        }
    }

    /// The predicates' values in diagrams of the caller, `Some(None)` if the conditions have no model; `None` if the question
    /// is not of this kind.
    pub fn answer(
        &mut self,
        terms: &mut Terms,
        precision: &Precision,
        diagrams: &Diagrams,
        question: &Question,
    ) -> Result<Option<Option<Bdd>>, Failure> {
        if self.failures >= TRIES {
            return Ok(None);
        }
        let Question { conditions, literals, .. } = question;
        let roots: Vec<Term> = conditions.iter().copied().chain(literals.iter().map(|&(_, term)| term)).collect();
        let all = terms.subterms(&roots);
        if !self.scan(terms, &all, &roots) {
            return Ok(None);
        }
        match self.image(terms, precision, question, &all) {
            Ok(Some(set)) => Ok(Some(Some(self.export(diagrams, &set)?))),
            Ok(None) => Ok(Some(None)),
            Err(Failure::Full) => {
                self.failures += 1;
                self.forget();
                Ok(None)
            }
            Err(stopped) => Err(stopped),
        }
    }

    /// Finds out what terms are, and where symbols are cut; whether the roots are truth values over ranges.
    fn scan(&mut self, terms: &mut Terms, all: &[Term], roots: &[Term]) -> bool {
        let mut finer = false;
        for &t in all {
            if !self.shapes.contains_key(&t) {
                let shape = self.shape(terms, t, &mut finer);
                self.shapes.insert(t, shape);
            }
        }
        if finer {
            self.forget();
        }
        roots.iter().all(|root| matches!(self.shapes[root], Shape::Truth))
    }

    fn shape(&mut self, terms: &mut Terms, t: Term, finer: &mut bool) -> Shape {
        let node = terms.node(t);
        let Sort::Bits(width) = terms.sort(t) else { return Shape::Foreign };
        if node.operands().iter().any(|operand| matches!(self.shapes[operand], Shape::Foreign)) {
            return Shape::Foreign;
        }
        let compares = matches!(node, Node::Binary(op, a, _) if op.is_comparison() && terms.width(a) > 1);
        match node {
            Node::Const { .. } | Node::Symbol(_) if width == 1 => Shape::Truth,
            Node::Const { .. } | Node::Symbol(_) => Shape::Word(Rc::new([t])),
            Node::Ite(_, a, b) if width > 1 => {
                let leaves: BTreeSet<Term> = self.leaves(terms, a).into_iter().chain(self.leaves(terms, b)).collect();
                word(leaves)
            }
            _ if width == 1 && terms.is_connective(t) => Shape::Truth,
            Node::Select(..) | Node::Store(..) | Node::ConstArray { .. } | Node::Splice { .. } | Node::Float(..) => {
                Shape::Foreign
            }
            _ => {
                let Some(results) = self.over_leaves(terms, &node) else { return Shape::Foreign };
                if width > 1 {
                    return word(results);
                }
                // Truth values of words: comparisons, or single bits of leaves that are constant.
                let ours = results.iter().all(|&atom| self.is_atom(terms, atom, finer));
                if ours && (compares || results.iter().all(|&atom| terms.as_const(atom).is_some())) {
                    Shape::Truth
                } else {
                    Shape::Foreign
                }
            }
        }
    }

    /// Whether an atom is about a range; cuts there.
    fn is_atom(&mut self, terms: &Terms, atom: Term, finer: &mut bool) -> bool {
        if terms.as_const(atom).is_some() {
            return true;
        }
        let positive = if let Node::Not(inner) = terms.node(atom) { inner } else { atom };
        let Some(comparison) = Comparison::of(terms, positive) else { return false };
        let new = self.ranges.cut(terms, &comparison);
        *finer |= new && self.bits.contains_key(&comparison.symbol);
        true
    }

    /// The leaves of a word or a truth value.
    fn leaves(&self, terms: &Terms, t: Term) -> Vec<Term> {
        match &self.shapes[&t] {
            Shape::Word(leaves) => leaves.to_vec(),
            _ => vec![terms.no(), terms.yes()],
        }
    }

    /// What an operator gives on the leaves of its operands.
    fn over_leaves(&self, terms: &mut Terms, node: &Node) -> Option<BTreeSet<Term>> {
        let operands = node.operands();
        let mut combinations: Vec<Vec<Term>> = vec![Vec::new()];
        for &operand in operands.iter() {
            let leaves = self.leaves(terms, operand);
            if combinations.len() * leaves.len() > LEAVES * LEAVES {
                return None;
            }
            let extended = |combination: &Vec<Term>| {
                let combination = combination.clone();
                leaves.iter().map(move |&leaf| [&combination[..], &[leaf]].concat()).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(extended).collect();
        }
        Some(combinations.into_iter().map(|leaves| terms.build(node.with_operands(&leaves))).collect())
    }

    /// Forgets all diagrams.
    fn forget(&mut self) {
        self.truths.clear();
        self.words.clear();
        self.bits.clear();
        self.predicates.clear();
        self.diagrams = store();
    }

    /// The image: the values of the predicates where the conditions hold; `None` if they never do.
    fn image(
        &mut self,
        terms: &mut Terms,
        precision: &Precision,
        question: &Question,
        all: &[Term],
    ) -> Result<Option<Bdd>, Failure> {
        self.encode(terms, precision, question, all)?;
        for &t in all {
            self.limits.poll()?;
            self.evaluate(terms, t)?;
        }
        let mut set = self.diagrams.top();
        for condition in &question.conditions {
            set = self.diagrams.and(&set, &self.truths[condition])?;
        }
        if self.diagrams.is_false(&set) {
            return Ok(None);
        }
        let mut links = Vec::with_capacity(question.literals.len());
        for (variable, term) in &question.literals {
            let value = self.diagrams.var(self.predicates[variable].0)?;
            links.push(self.diagrams.iff(&value, &self.truths[term])?);
        }
        // Bits that later links do not have are quantified.
        let ours: BTreeSet<VarIndex> = self.predicates.values().map(|&(variable, _)| variable).collect();
        let mut needed: Vec<BTreeSet<VarIndex>> = vec![BTreeSet::new()];
        for link in links.iter().rev() {
            let mut all = needed.last().expect("there is one").clone();
            all.extend(self.diagrams.support(link));
            needed.push(all);
        }
        needed.reverse();
        let free = |set: &Bdd, link: &Bdd, later: &BTreeSet<VarIndex>| -> Result<Bdd, Failure> {
            self.limits.poll()?;
            let both = [self.diagrams.support(set), self.diagrams.support(link)].concat();
            let gone: BTreeSet<VarIndex> =
                both.into_iter().filter(|v| !later.contains(v) && !ours.contains(v)).collect();
            let cube = self.diagrams.cube(&gone.into_iter().collect::<Vec<_>>())?;
            Ok(self.diagrams.and_exists(set, link, &cube)?)
        };
        set = free(&set, &self.diagrams.top(), &needed[0])?;
        for (link, later) in links.iter().zip(&needed[1..]) {
            set = free(&set, link, later)?;
        }
        Ok(Some(set))
    }

    /// Gives variables to what has none yet.
    fn encode(
        &mut self,
        terms: &Terms,
        precision: &Precision,
        question: &Question,
        all: &[Term],
    ) -> Result<(), Failure> {
        let before = self.diagrams.variables();
        for symbol in all.iter().filter_map(|&t| terms.as_symbol(t)) {
            if !self.bits.contains_key(&symbol) {
                let ranges = match terms.width(terms.symbol_term(symbol)) {
                    1 => 2,
                    _ => self.ranges.starts(symbol).len(),
                };
                let count = usize::BITS - (ranges - 1).leading_zeros();
                let first = self.diagrams.add_variables(count).index() as u32;
                self.bits.insert(symbol, (first..first + count).map(VarIndex::new).collect());
            }
        }
        for &(variable, _) in &question.literals {
            if !self.predicates.contains_key(&variable) {
                let own = self.diagrams.add_variables(1);
                let beside = terms.symbols(precision.predicate(variable)).first().copied();
                self.predicates.insert(variable, (own, beside));
            }
        }
        if self.diagrams.variables() > before {
            // A predicate says something about its symbol: it stands beside that.
            let mut beside: BTreeMap<Option<Symbol>, Vec<VarIndex>> = BTreeMap::new();
            for &(own, symbol) in self.predicates.values() {
                beside.entry(symbol.filter(|s| self.bits.contains_key(s))).or_default().push(own);
            }
            let mut order: Vec<VarIndex> = beside.remove(&None).unwrap_or_default();
            for (symbol, bits) in &self.bits {
                order.extend(bits);
                order.extend(beside.remove(&Some(*symbol)).unwrap_or_default());
            }
            self.diagrams.set_order(&order)?;
        }
        Ok(())
    }

    /// The diagrams of a term whose operands have theirs.
    fn evaluate(&mut self, terms: &mut Terms, t: Term) -> Result<(), Failure> {
        if self.truths.contains_key(&t) || self.words.contains_key(&t) {
            return Ok(());
        }
        match self.shapes[&t].clone() {
            Shape::Foreign => Ok(()),
            Shape::Truth => {
                let truth = self.truth(terms, t)?;
                self.truths.insert(t, truth);
                Ok(())
            }
            Shape::Word(_) => {
                let word = self.word(terms, t)?;
                self.words.insert(t, word);
                Ok(())
            }
        }
    }

    fn truth(&mut self, terms: &mut Terms, t: Term) -> Result<Bdd, Failure> {
        use robusto_logic::BinaryOp::{And, Eq, Or, Xor};
        let node = terms.node(t);
        let d = &self.diagrams;
        if let Some(value) = terms.as_const(t) {
            return Ok(d.constant(value == 1));
        }
        let of = |t: &Term| &self.truths[t];
        let result = match &node {
            Node::Symbol(symbol) => d.var(self.bits[symbol][0])?,
            Node::Not(a) => d.not(of(a))?,
            Node::Ite(c, a, b) => d.ite(of(c), of(a), of(b))?,
            Node::Binary(op, a, b) if terms.width(*a) == 1 => match op {
                And => d.and(of(a), of(b))?,
                Or => d.or(of(a), of(b))?,
                Xor => d.xor(of(a), of(b))?,
                Eq => d.iff(of(a), of(b))?,
                _ => unreachable!("it is no connective"),
            },
            _ => {
                let mut result = d.bottom();
                for (atom, taken) in self.combined(terms, &node)? {
                    let atom = self.atom(terms, atom)?;
                    let both = self.diagrams.and(&taken, &atom)?;
                    result = self.diagrams.or(&result, &both)?;
                }
                result
            }
        };
        Ok(result)
    }

    fn word(&mut self, terms: &mut Terms, t: Term) -> Result<Rc<[(Term, Bdd)]>, Failure> {
        let d = &self.diagrams;
        let node = terms.node(t);
        Ok(match &node {
            Node::Const { .. } | Node::Symbol(_) => Rc::new([(t, d.top())]),
            Node::Ite(c, a, b) => {
                let condition = &self.truths[c];
                let mut taken: BTreeMap<Term, [Bdd; 2]> = BTreeMap::new();
                for (side, operand) in [a, b].into_iter().enumerate() {
                    for (leaf, when) in self.words[operand].iter() {
                        taken.entry(*leaf).or_insert_with(|| [d.bottom(), d.bottom()])[side] = when.clone();
                    }
                }
                let mut word = Vec::with_capacity(taken.len());
                for (leaf, [yes, no]) in taken {
                    let when = d.ite(condition, &yes, &no)?;
                    if !d.is_false(&when) {
                        word.push((leaf, when));
                    }
                }
                word.into()
            }
            _ => self.combined(terms, &node)?.into_iter().collect(),
        })
    }

    /// What an operator gives on the leaves of its operands, and where.
    fn combined(&self, terms: &mut Terms, node: &Node) -> Result<BTreeMap<Term, Bdd>, Failure> {
        let d = &self.diagrams;
        let mut combinations: Vec<(Vec<Term>, Bdd)> = vec![(Vec::new(), d.top())];
        for operand in node.operands().iter() {
            let mut extended = Vec::new();
            let leaves: Vec<(Term, Bdd)> = match self.words.get(operand) {
                Some(word) => word.to_vec(),
                None => vec![(terms.no(), d.not(&self.truths[operand])?), (terms.yes(), self.truths[operand].clone())],
            };
            for (combination, taken) in &combinations {
                for (leaf, when) in &leaves {
                    let both = d.and(taken, when)?;
                    if !d.is_false(&both) {
                        extended.push(([&combination[..], &[*leaf]].concat(), both));
                    }
                }
            }
            combinations = extended;
        }
        let mut results: BTreeMap<Term, Bdd> = BTreeMap::new();
        for (leaves, taken) in combinations {
            let result = terms.build(node.with_operands(&leaves));
            let so_far = results.entry(result).or_insert_with(|| d.bottom());
            *so_far = d.or(so_far, &taken)?;
        }
        Ok(results)
    }

    /// A comparison of leaves.
    fn atom(&mut self, terms: &mut Terms, atom: Term) -> Result<Bdd, Failure> {
        if let Some(value) = terms.as_const(atom) {
            return Ok(self.diagrams.constant(value == 1));
        }
        if let Some(known) = self.truths.get(&atom) {
            return Ok(known.clone());
        }
        let (positive, negated) = match terms.node(atom) {
            Node::Not(inner) => (inner, true),
            _ => (atom, false),
        };
        let comparison = Comparison::of(terms, positive).expect("the scan has seen it");
        let mut result = self.diagrams.bottom();
        let starts = self.ranges.starts(comparison.symbol);
        let bits = &self.bits[&comparison.symbol];
        // Numbers without a range stand for the last one.
        for number in 0..1usize << bits.len() {
            let start = starts[number.min(starts.len() - 1)];
            if comparison.holds(terms, start) != negated {
                let literals: Vec<(VarIndex, bool)> =
                    bits.iter().enumerate().map(|(i, &bit)| (bit, number >> i & 1 == 1)).collect();
                let one = self.diagrams.literals(&literals)?;
                result = self.diagrams.or(&result, &one)?;
            }
        }
        self.truths.insert(atom, result.clone());
        Ok(result)
    }

    /// A set of predicates' values in diagrams of the caller, where predicates are their own variables.
    fn export(&self, diagrams: &Diagrams, set: &Bdd) -> Result<Bdd, Full> {
        let theirs: FxHashMap<VarIndex, VarIndex> = self.predicates.iter().map(|(&v, &(own, _))| (own, v)).collect();
        let node = |variable: VarIndex, high: Result<Bdd, Full>, low: Result<Bdd, Full>| {
            diagrams.ite(&diagrams.var(theirs[&variable])?, &high?, &low?)
        };
        self.diagrams.fold(set, Ok(diagrams.top()), Ok(diagrams.bottom()), node)
    }
}

fn store() -> Diagrams {
    Diagrams::new(0, StoreSize { nodes: NODES, cache: 1 << 18 })
}

fn word(leaves: BTreeSet<Term>) -> Shape {
    if leaves.len() > LEAVES { Shape::Foreign } else { Shape::Word(leaves.into_iter().collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::Scope;
    use crate::predicate::question::Oracle;
    use robusto_cfa::ir::{FuncId, LocId};
    use robusto_cpa::control::Location;
    use robusto_testing::Random;

    const AT: Location = Location { function: FuncId::FIRST, loc: LocId::FIRST };

    /// A random truth value over three words, one truth value and some constants.
    fn truth(terms: &mut Terms, random: &mut Random, depth: u32) -> Term {
        if depth == 0 || random.below(6u64) == 0 {
            if random.below(4u64) == 0 {
                return terms.symbol("flag", Sort::BOOL);
            }
            let (a, b) = (word(terms, random, 1), word(terms, random, 0));
            return match random.below(4u64) {
                0 => terms.ult(a, b),
                1 => terms.sle(a, b),
                _ => terms.eq(a, b),
            };
        }
        let (a, b) = (truth(terms, random, depth - 1), truth(terms, random, depth - 1));
        match random.below(4u64) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            2 => terms.not(a),
            _ => {
                let c = truth(terms, random, depth - 1);
                terms.ite(c, a, b)
            }
        }
    }

    /// A random word: a symbol or a constant at depth 0, else a choice or a sum with a constant.
    fn word(terms: &mut Terms, random: &mut Random, depth: u32) -> Term {
        let leaf = |terms: &mut Terms, random: &mut Random| match random.below(3u64) {
            0 => terms.symbol(random.pick(&["x", "y", "z"]), Sort::Bits(8)),
            _ => terms.constant(8, random.pick(&[0, 1, 5, 127, 128, 255])),
        };
        if depth == 0 {
            let constant = random.pick(&[0, 1, 5, 127, 128, 255]);
            return terms.constant(8, constant);
        }
        let (a, b) = (leaf(terms, random), leaf(terms, random));
        match random.below(3u64) {
            0 => a,
            1 => {
                let one = terms.constant(8, 1);
                terms.add(a, one)
            }
            _ => {
                let condition = truth(terms, random, 1);
                terms.ite(condition, a, b)
            }
        }
    }

    #[test]
    fn diagrams_and_the_solver_agree() {
        let mut answered = 0;
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let (mut terms, mut precision) = (Terms::new(), Precision::new(Scope::Location));
            let diagrams = Diagrams::new(4, StoreSize::default());
            let limits = Limits::none();
            let (mut finite, mut oracle) = (Finite::new(&limits), Oracle::new(&limits));
            // Several questions to one, so that ranges become finer on the way.
            for _ in 0..3 {
                let conditions = (0..2).map(|_| truth(&mut terms, &mut random, 3)).collect();
                let mut literals = Vec::new();
                for i in 0..4 {
                    let name = terms.symbol(&format!("p{i}"), Sort::BOOL);
                    precision.add(AT, name);
                    literals.push((VarIndex::new(i), truth(&mut terms, &mut random, 2)));
                }
                let question = Question { conditions, literals, cartesian: false };
                let found = finite.answer(&mut terms, &precision, &diagrams, &question);
                let Ok(Some(found)) = found else { continue };
                answered += 1;
                let expected = oracle.answer(&mut terms, &diagrams, &question).ok().expect("nothing stops it");
                assert!(found == expected, "seed {seed}");
            }
        }
        assert!(answered > 400, "only {answered} of 1200 questions were answered");
    }
}
