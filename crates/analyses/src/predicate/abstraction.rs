//! Predicate abstraction of a formula (Section II.B; Ball, Podelski, Rajamani: *Boolean and Cartesian Abstractions for
//! Model Checking C Programs*, TACAS 2001; Lahiri, Nieuwenhuis, Oliveras: *SMT Techniques for Fast Predicate Abstraction*,
//! CAV 2006).

use super::{Abe, Product};
use crate::symbolic::PathFormula;
use robusto_cpa::control::Location;
use robusto_diagram::{Bdd, Full, VarIndex};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Term};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::ControlFlow;
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

/// What is asked of the solver.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Question {
    conditions: Vec<Term>,
    /// Predicates, and what each says at the end of the block.
    literals: Vec<(VarIndex, Term)>,
}

/// Parts of abstractions computed before. The terms of a block are the same each time that it is built, so the same question comes
/// back whenever a part of the graph is built again.
#[derive(Debug, Default)]
pub struct Abstractions {
    /// How they are computed.
    pub kind: Kind,
    known: FxHashMap<Question, Option<Rc<[Bdd]>>>,
    /// Number of abstractions with a part that was not known.
    pub computed: u64,
    /// Number of parts computed.
    asked: u64,
}

impl Abstractions {
    /// None yet.
    pub fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl Abe<'_> {
    /// (ψ ∧ φ)^Π(l), `None` if ψ ∧ φ is unsatisfiable; `known` is what other analyses know where ψ holds.
    pub fn abstraction(
        &mut self,
        psi: &Product,
        known: Term,
        formula: &PathFormula,
        at: Location,
    ) -> Result<Option<Product>, Stopped> {
        let predicates = self.predicates_at(at);
        self.abstraction_over(psi, known, formula, &predicates)
    }

    /// The strongest combination of predicates that ψ ∧ φ implies, `None` if ψ ∧ φ is unsatisfiable.
    pub fn abstraction_over(
        &mut self,
        psi: &Product,
        known: Term,
        formula: &PathFormula,
        predicates: &[VarIndex],
    ) -> Result<Option<Product>, Stopped> {
        let before = self.abstractions.asked;
        let result = self.by_parts(psi, known, formula, predicates);
        self.abstractions.computed += u64::from(self.abstractions.asked > before);
        match result {
            Ok(result) => Ok(result),
            Err(Failure::Stopped(stopped)) => Err(stopped),
            Err(Failure::Full) => Err(Stopped::Memory),
        }
    }

    /// The conjunction of the abstractions of the independent parts of ψ ∧ φ.
    fn by_parts(
        &mut self,
        psi: &Product,
        known: Term,
        formula: &PathFormula,
        predicates: &[VarIndex],
    ) -> Result<Option<Product>, Failure> {
        let missing = (self.precision.len() as u32).saturating_sub(self.diagrams.variables());
        if missing > 0 {
            self.diagrams.add_variables(missing);
        }
        let mut conditions = self.factors(psi);
        let known = self.encoder.terms.conjuncts(known);
        conditions.extend(&known);
        conditions.extend(self.encoder.terms.conjuncts(formula.guard));
        conditions.sort_unstable();
        conditions.dedup();
        let mut decided: Vec<(VarIndex, bool)> = Vec::new();
        let mut open: Vec<(VarIndex, Term)> = Vec::new();
        for &variable in predicates {
            let term = self.encoder.apply(formula, self.precision.predicate(variable));
            // What simplification has decided needs no solver.
            match self.encoder.terms.as_const(term) {
                Some(_) => decided.push((variable, self.encoder.terms.is_true(term))),
                None => open.push((variable, term)),
            }
        }
        let terms: Vec<Term> = conditions.iter().copied().chain(open.iter().map(|&(_, term)| term)).collect();
        let mut sets: Vec<Bdd> = Vec::new();
        for literal in decided {
            sets.push(self.diagrams.literals(&[literal])?);
        }
        for part in self.independent(&terms) {
            let literals = part.partition_point(|&i| i < conditions.len());
            let question = Question {
                conditions: part[..literals].iter().map(|&i| conditions[i]).collect(),
                literals: part[literals..].iter().map(|&i| open[i - conditions.len()]).collect(),
            };
            // What holds anyway about values that the block does not touch.
            if question.literals.is_empty() && question.conditions.iter().all(|c| known.contains(c)) {
                continue;
            }
            let Some(part) = self.part(question)? else { return Ok(None) };
            sets.extend_from_slice(&part);
        }
        Ok(Some(Product::of(&self.diagrams, &sets)?))
    }

    /// The abstraction of one part.
    fn part(&mut self, question: Question) -> Result<Option<Rc<[Bdd]>>, Failure> {
        if let Some(known) = self.abstractions.known.get(&question) {
            return Ok(known.clone());
        }
        self.abstractions.asked += 1;
        let result = match self.compute(&question)? {
            Some(set) => Some(self.split(&set)?.into()),
            None => None,
        };
        self.abstractions.known.insert(question, result.clone());
        Ok(result)
    }

    /// How abstractions are computed.
    pub fn kind(&self) -> Kind {
        self.abstractions.kind
    }

    fn compute(&mut self, question: &Question) -> Result<Option<Bdd>, Failure> {
        let Question { conditions, literals } = question;
        if self.solver.check(&mut self.encoder.terms, conditions)? == Answer::Unsat {
            return Ok(None);
        }
        if literals.is_empty() {
            return Ok(Some(self.diagrams.top()));
        }
        match self.kind() {
            Kind::Boolean | Kind::Impact => self.boolean(conditions, literals).map(Some),
            Kind::Cartesian => self.cartesian(conditions, literals).map(Some),
        }
    }

    /// The strongest Boolean combination.
    fn boolean(&mut self, conditions: &[Term], literals: &[(VarIndex, Term)]) -> Result<Bdd, Failure> {
        let terms: Vec<Term> = literals.iter().map(|&(_, term)| term).collect();
        let mut set = self.diagrams.bottom();
        let mut full = None;
        let diagrams = &self.diagrams;
        self.solver.all_sat(&mut self.encoder.terms, conditions, &terms, |cube| {
            let cube: Vec<(VarIndex, bool)> =
                literals.iter().zip(cube).filter_map(|(&(v, _), value)| value.map(|value| (v, value))).collect();
            match diagrams.literals(&cube).and_then(|cube| diagrams.or(&set, &cube)) {
                Ok(union) => {
                    set = union;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    full = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        match full {
            Some(full) => Err(full.into()),
            None => Ok(set),
        }
    }

    /// The strongest conjunction.
    fn cartesian(&mut self, conditions: &[Term], literals: &[(VarIndex, Term)]) -> Result<Bdd, Failure> {
        let mut known: Vec<(VarIndex, bool)> = Vec::new();
        for &(variable, term) in literals {
            for value in [true, false] {
                let opposite = if value { self.encoder.terms.not(term) } else { term };
                let mut assumptions = conditions.to_vec();
                assumptions.push(opposite);
                if self.solver.check(&mut self.encoder.terms, &assumptions)? == Answer::Unsat {
                    known.push((variable, value));
                    break;
                }
            }
        }
        Ok(self.diagrams.literals(&known)?)
    }

    /// ψ as text, for people.
    pub fn show(&mut self, psi: &Product) -> String {
        let term = self.term_of(psi);
        self.encoder.terms.display(term).to_string()
    }
}

/// Why an abstraction was not computed.
enum Failure {
    Stopped(Stopped),
    Full,
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<Full> for Failure {
    fn from(_: Full) -> Self {
        Failure::Full
    }
}
