//! Predicate abstraction of a formula (Section II.B; Ball, Podelski, Rajamani: *Boolean and Cartesian Abstractions for
//! Model Checking C Programs*, TACAS 2001; Lahiri, Nieuwenhuis, Oliveras: *SMT Techniques for Fast Predicate Abstraction*,
//! CAV 2006).

use super::finite::{self, Finite};
use super::parts::Ties;
use super::question::{Failure, Oracle, Question};
use super::{Precision, Product};
use crate::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::VarId;
use robusto_diagram::{Bdd, Diagrams, StoreSize, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Node, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// How abstractions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// The strongest Boolean combination of predicates, by enumerating all satisfying assignments.
    #[default]
    Boolean,
    /// The strongest conjunction of predicates and their negations.
    Cartesian,
    /// None: abstraction states start with ψ = true, and take what refutes error paths through them (IMPACT).
    Impact,
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "boolean" => Ok(Self::Boolean),
            "cartesian" => Ok(Self::Cartesian),
            "impact" => Ok(Self::Impact),
            _ => Err(format!("`{text}` is not a kind of abstraction; known are boolean, cartesian, impact")),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Boolean => "boolean",
            Self::Cartesian => "cartesian",
            Self::Impact => "impact",
        })
    }
}

/// What is abstracted: ψ ∧ φ.
pub struct Paths<'p> {
    /// ψ
    pub psi: &'p Product,
    /// What other analyses know where ψ holds.
    pub known: Term,
    /// φ
    pub formula: &'p PathFormula,
}

/// Computes abstractions. Formulas speak of the encoder's terms, diagrams of the precision's predicates.
pub struct Abstractor {
    kind: Kind,
    /// The solver.
    pub oracle: Oracle,
    diagrams: Diagrams,
    finite: Finite,
    ties: Ties,
    /// Where variables stand in the diagrams of `finite`, once asked for.
    ranks: Option<FxHashMap<VarId, u32>>,
    /// Parts of abstractions computed before. The terms of a block are the same each time that it is built, so the same question
    /// comes back whenever a part of the graph is built again.
    known: FxHashMap<Question, Option<Rc<[Bdd]>>>,
    /// Number of abstractions with a part that was not known.
    computed: u64,
    /// Number of abstractions whose parts were all known.
    recalled: u64,
    /// Number of parts computed.
    asked: u64,
}

impl Abstractor {
    /// No abstraction is computed yet.
    pub fn new(kind: Kind, limits: &Limits) -> Self {
        Self {
            kind,
            oracle: Oracle::new(limits),
            diagrams: Diagrams::new(0, StoreSize::default()),
            finite: Finite::new(limits),
            ties: Ties::default(),
            ranks: None,
            known: FxHashMap::default(),
            computed: 0,
            recalled: 0,
            asked: 0,
        }
    }

    /// How abstractions are computed.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of abstractions computed, and of those found in the cache.
    pub fn counts(&self) -> (u64, u64) {
        (self.computed, self.recalled)
    }

    /// The strongest combination of predicates that ψ ∧ φ implies, or the strongest conjunction; `None` if ψ ∧ φ is unsatisfiable.
    pub fn over(
        &mut self,
        encoder: &mut Encoder<'_>,
        precision: &Precision,
        paths: &Paths<'_>,
        predicates: &[VarIndex],
        cartesian: bool,
    ) -> Result<Option<Product>, Stopped> {
        let before = self.asked;
        let result = self.by_parts(encoder, precision, paths, predicates, cartesian);
        match self.asked > before {
            true => self.computed += 1,
            false => self.recalled += 1,
        }
        Ok(result?)
    }

    /// The conjunction of the abstractions of the independent parts of ψ ∧ φ.
    fn by_parts(
        &mut self,
        encoder: &mut Encoder<'_>,
        precision: &Precision,
        paths: &Paths<'_>,
        predicates: &[VarIndex],
        cartesian: bool,
    ) -> Result<Option<Product>, Failure> {
        self.widen(precision);
        let mut conditions = self.factors(encoder, precision, paths.psi);
        let known = encoder.terms.conjuncts(paths.known);
        conditions.extend(&known);
        conditions.extend(encoder.terms.conjuncts(paths.formula.guard));
        conditions.sort_unstable();
        conditions.dedup();
        let mut decided: Vec<(VarIndex, bool)> = Vec::new();
        let mut open: Vec<(VarIndex, Term)> = Vec::new();
        for &variable in predicates {
            let term = encoder.apply(paths.formula, precision.predicate(variable));
            // What simplification has decided needs no solver.
            match encoder.terms.as_const(term) {
                Some(_) => decided.push((variable, encoder.terms.is_true(term))),
                None => open.push((variable, term)),
            }
        }
        let terms: Vec<Term> = conditions.iter().copied().chain(open.iter().map(|&(_, term)| term)).collect();
        let mut sets: Vec<Bdd> = Vec::new();
        for literal in decided {
            sets.push(self.diagrams.literals(&[literal])?);
        }
        for part in self.ties.independent(&encoder.terms, &terms) {
            let literals = part.partition_point(|&i| i < conditions.len());
            let question = Question {
                conditions: part[..literals].iter().map(|&i| conditions[i]).collect(),
                literals: part[literals..].iter().map(|&i| open[i - conditions.len()]).collect(),
                cartesian,
            };
            // What holds anyway about values that the block does not touch.
            if question.literals.is_empty() && question.conditions.iter().all(|c| known.contains(c)) {
                continue;
            }
            let Some(part) = self.part(encoder, precision, question)? else { return Ok(None) };
            sets.extend_from_slice(&part);
        }
        Ok(Some(Product::of(&self.diagrams, &sets)?))
    }

    /// The abstraction of one part.
    fn part(
        &mut self,
        encoder: &mut Encoder<'_>,
        precision: &Precision,
        question: Question,
    ) -> Result<Option<Rc<[Bdd]>>, Failure> {
        if let Some(known) = self.known.get(&question) {
            return Ok(known.clone());
        }
        self.asked += 1;
        self.place(encoder, &question);
        let by_diagrams = match question.cartesian {
            false => self.finite.answer(&mut encoder.terms, precision, &self.diagrams, &question)?,
            true => None,
        };
        let values = match by_diagrams {
            Some(values) => values,
            None => self.oracle.answer(&mut encoder.terms, &self.diagrams, &question)?,
        };
        let result = match values {
            Some(set) => Some(self.ties.split(&encoder.terms, precision, &self.diagrams, &set)?.into()),
            None => None,
        };
        self.known.insert(question, result.clone());
        Ok(result)
    }

    /// Whether conditions have a common model.
    pub fn is_satisfiable(
        &mut self,
        encoder: &mut Encoder<'_>,
        precision: &Precision,
        conditions: Vec<Term>,
    ) -> Result<bool, Stopped> {
        let question = Question { conditions, literals: Vec::new(), cartesian: false };
        Ok(self.part(encoder, precision, question)?.is_some())
    }

    /// Says where the symbols of a question stand in diagrams.
    fn place(&mut self, encoder: &Encoder<'_>, question: &Question) {
        let ranks = self.ranks.get_or_insert_with(|| finite::ranks(encoder.facts()));
        for &t in question.conditions.iter().chain(question.literals.iter().map(|(_, t)| t)) {
            for &symbol in self.ties.of(&encoder.terms, t).iter() {
                if let Some(Cell::Var(var, _)) = encoder.cell_of(symbol)
                    && let Some(&rank) = ranks.get(&var)
                {
                    self.finite.place(symbol, rank);
                }
            }
        }
    }

    /// A Boolean combination of tracked predicates as ψ.
    pub fn product_of(&mut self, encoder: &Encoder<'_>, precision: &Precision, t: Term) -> Result<Product, Stopped> {
        self.widen(precision);
        let set = self.set_of(&encoder.terms, precision, t)?;
        Ok(Product::of(&self.diagrams, &[set]).map_err(Failure::from)?)
    }

    fn set_of(&self, terms: &Terms, precision: &Precision, root: Term) -> Result<Bdd, Failure> {
        use robusto_logic::BinaryOp::{And, Eq, Or, Xor};
        let d = &self.diagrams;
        let mut done: FxHashMap<Term, Bdd> = FxHashMap::default();
        for t in terms.subterms(&[root]) {
            // Operands of atoms are words, or truth values inside of them.
            let of = |t: &Term| done.get(t);
            let set = match terms.node(t) {
                _ if terms.as_const(t).is_some() => d.constant(terms.is_true(t)),
                _ if !terms.is_connective(t) => match precision.variable(t) {
                    Some(variable) => d.var(variable)?,
                    None => continue,
                },
                Node::Not(a) => match of(&a) {
                    Some(a) => d.not(a)?,
                    None => continue,
                },
                Node::Ite(c, a, b) => match (of(&c), of(&a), of(&b)) {
                    (Some(c), Some(a), Some(b)) => d.ite(c, a, b)?,
                    _ => continue,
                },
                Node::Binary(op, a, b) => match (of(&a), of(&b), op) {
                    (Some(a), Some(b), And) => d.and(a, b)?,
                    (Some(a), Some(b), Or) => d.or(a, b)?,
                    (Some(a), Some(b), Xor) => d.xor(a, b)?,
                    (Some(a), Some(b), Eq) => d.iff(a, b)?,
                    _ => continue,
                },
                _ => continue,
            };
            done.insert(t, set);
        }
        Ok(done.remove(&root).expect("its atoms are tracked"))
    }

    /// Each predicate has a variable.
    fn widen(&mut self, precision: &Precision) {
        let missing = (precision.len() as u32).saturating_sub(self.diagrams.variables());
        if missing > 0 {
            self.diagrams.add_variables(missing);
        }
    }

    /// ψ as a term over the predicates' variables.
    pub fn term_of(&self, encoder: &mut Encoder<'_>, precision: &Precision, psi: &Product) -> Term {
        let factors = self.factors(encoder, precision, psi);
        encoder.terms.and_all(&factors)
    }

    /// The factors of ψ as terms.
    fn factors(&self, encoder: &mut Encoder<'_>, precision: &Precision, psi: &Product) -> Vec<Term> {
        let (yes, no) = (encoder.terms.truth(true), encoder.terms.truth(false));
        let mut of_set = |set| {
            let node = |variable, high, low| encoder.terms.ite(precision.predicate(variable), high, low);
            self.diagrams.fold(set, yes, no, node)
        };
        psi.sets().map(&mut of_set).collect()
    }

    /// Whether ψ implies another.
    pub fn leq(&self, psi: &Product, other: &Product) -> Result<bool, Stopped> {
        psi.leq(&self.diagrams, other).map_err(|_| Stopped::Memory)
    }

    /// The conjunction of two ψ.
    pub fn and(&self, psi: &Product, other: &Product) -> Result<Product, Stopped> {
        psi.and(&self.diagrams, other).map_err(|_| Stopped::Memory)
    }
}
