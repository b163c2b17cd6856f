//! Predicate abstraction of a formula (Section II.B; Ball, Podelski, Rajamani: *Boolean and Cartesian Abstractions for
//! Model Checking C Programs*, TACAS 2001; Lahiri, Nieuwenhuis, Oliveras: *SMT Techniques for Fast Predicate Abstraction*,
//! CAV 2006).

use super::{Abe, BlockId};
use crate::symbolic::PathFormula;
use robusto_cpa::Stopped;
use robusto_cpa::control::Location;
use robusto_diagram::{Bdd, Full, VarIndex};
use robusto_logic::{Answer, Term};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::ControlFlow;
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

/// What is asked of the solver: the formula's parts, and each predicate with what it says at the end of the block.
type Question = (Vec<Term>, Vec<(VarIndex, Term)>);

/// Abstractions computed before. The terms of a block are the same each time that it is built, so the same question comes
/// back whenever a part of the graph is built again.
#[derive(Debug, Default)]
pub struct Abstractions {
    /// How they are computed.
    pub kind: Kind,
    known: FxHashMap<Question, Option<Bdd>>,
    /// How many were computed.
    pub computed: u64,
}

impl Abstractions {
    /// None yet.
    pub fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl Abe<'_> {
    /// (ψ ∧ φ)^Π(l), `None` if ψ ∧ φ is unsatisfiable.
    pub fn abstraction(&mut self, psi: Term, formula: &PathFormula, at: Location) -> Result<Option<Bdd>, Stopped> {
        let predicates: Vec<VarIndex> = self.precision.at(at).to_vec();
        self.abstraction_over(psi, formula, &predicates)
    }

    /// The strongest combination of predicates that ψ ∧ φ implies, `None` if ψ ∧ φ is unsatisfiable.
    pub fn abstraction_over(
        &mut self,
        psi: Term,
        formula: &PathFormula,
        predicates: &[VarIndex],
    ) -> Result<Option<Bdd>, Stopped> {
        let literals: Vec<(VarIndex, Term)> = predicates
            .iter()
            .map(|&variable| (variable, self.encoder.apply(formula, self.precision.predicate(variable))))
            .collect();
        let question = (vec![psi, formula.guard], literals);
        if let Some(known) = self.abstractions.known.get(&question) {
            return Ok(known.clone());
        }
        self.abstractions.computed += 1;
        let result = match self.compute(&question) {
            Ok(result) => result,
            Err(Failure::Cancelled) => return Err(self.stopped()),
            Err(Failure::Full) => return Err(Stopped::Memory),
        };
        self.abstractions.known.insert(question, result.clone());
        Ok(result)
    }

    /// How abstractions are computed.
    pub fn kind(&self) -> Kind {
        self.abstractions.kind
    }

    /// The strongest combination of some predicates that holds after a block which starts where `label` holds, `None` if
    /// the block cannot be passed.
    pub fn interpolant(
        &mut self,
        label: Term,
        formula: &PathFormula,
        predicates: &[Term],
    ) -> Result<Option<Bdd>, Stopped> {
        let variables: Vec<VarIndex> = predicates.iter().filter_map(|&p| self.precision.variable(p)).collect();
        self.abstraction_over(label, formula, &variables)
    }

    /// ψ of a block becomes stronger; whether it changed.
    pub fn strengthen(&mut self, block: BlockId, by: &Bdd) -> Result<bool, Stopped> {
        let block = &mut self.blocks[block.index()];
        let stronger = self.diagrams.and(&block.abstraction, by).map_err(|_| Stopped::Memory)?;
        Ok(std::mem::replace(&mut block.abstraction, stronger.clone()) != stronger)
    }

    /// Forced covering: whether ψ of one block may be strengthened by that of another, because the block that leads to it
    /// makes it true. If so, it is.
    pub(super) fn force(&mut self, block: BlockId, by: BlockId) -> Result<bool, Stopped> {
        let Some(from) = self.block(block).from.clone() else { return Ok(false) };
        let label = self.block(by).abstraction.clone();
        let wanted = self.term_of(&label);
        let before = self.abstraction_term(from.block);
        let after = self.encoder.apply(&from.formula, wanted);
        let not = self.encoder.terms.not(after);
        let question = [before, from.formula.guard, not];
        match self.solver.check(&mut self.encoder.terms, &question) {
            Ok(Answer::Sat) => Ok(false),
            Ok(Answer::Unsat) => {
                self.strengthen(block, &label)?;
                Ok(true)
            }
            Err(_) => Err(self.stopped()),
        }
    }

    fn compute(&mut self, (formula, literals): &Question) -> Result<Option<Bdd>, Failure> {
        let missing = (self.precision.len() as u32).saturating_sub(self.diagrams.variables());
        if missing > 0 {
            self.diagrams.add_variables(missing);
        }
        if self.solver.check(&mut self.encoder.terms, formula)? == Answer::Unsat {
            return Ok(None);
        }
        // What simplification has decided needs no solver.
        let (decided, open): (Vec<_>, Vec<_>) =
            literals.iter().partition(|&&(_, term)| self.encoder.terms.as_const(term).is_some());
        let mut known: Vec<(VarIndex, bool)> =
            decided.into_iter().map(|&(v, term)| (v, self.encoder.terms.is_true(term))).collect();
        let open: Vec<(VarIndex, Term)> = open.into_iter().copied().collect();
        if open.is_empty() {
            return Ok(Some(self.diagrams.literals(&known)?));
        }
        match self.abstractions.kind {
            Kind::Boolean | Kind::Impact => {
                let terms: Vec<Term> = open.iter().map(|&(_, term)| term).collect();
                let mut set = self.diagrams.bottom();
                let mut full = None;
                let diagrams = &self.diagrams;
                self.solver.all_sat(&mut self.encoder.terms, formula, &terms, |cube| {
                    let literals: Vec<(VarIndex, bool)> =
                        open.iter().zip(cube).filter_map(|(&(v, _), value)| value.map(|value| (v, value))).collect();
                    match diagrams.literals(&literals).and_then(|cube| diagrams.or(&set, &cube)) {
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
                if let Some(full) = full {
                    return Err(full.into());
                }
                let known = self.diagrams.literals(&known)?;
                Ok(Some(self.diagrams.and(&set, &known)?))
            }
            Kind::Cartesian => {
                for &(variable, term) in &open {
                    for value in [true, false] {
                        let opposite = if value { self.encoder.terms.not(term) } else { term };
                        let mut assumptions = formula.clone();
                        assumptions.push(opposite);
                        if self.solver.check(&mut self.encoder.terms, &assumptions)? == Answer::Unsat {
                            known.push((variable, value));
                            break;
                        }
                    }
                }
                Ok(Some(self.diagrams.literals(&known)?))
            }
        }
    }

    /// A decision diagram over predicates as text, for people.
    pub fn show(&mut self, set: &Bdd) -> String {
        let term = self.term_of(set);
        self.encoder.terms.display(term).to_string()
    }
}

/// Why an abstraction was not computed.
enum Failure {
    Cancelled,
    Full,
}

impl From<robusto_logic::Cancelled> for Failure {
    fn from(_: robusto_logic::Cancelled) -> Self {
        Failure::Cancelled
    }
}

impl From<Full> for Failure {
    fn from(_: Full) -> Self {
        Failure::Full
    }
}
