//! Shows implications.
//!
//! | claim | how |
//! |---|---|
//! | without choices | SAT with bounded effort; then diagrams ([`Decider`]), for sets that were diagrams before; then SAT |
//! | with choices | [`Qbf`] |

use robusto_limits::{Limits, Stopped};
use robusto_logic::qbf::{Qbf, Question};
use robusto_logic::{Answer, Decider, Solver, Symbol, Term, Terms};
use rustc_hash::FxHashSet;

/// Conflicts of SAT before diagrams are tried.
const CONFLICTS: i32 = 2_000;

/// Nodes of diagrams for one implication.
const NODES: usize = 1 << 21;

/// What is to be shown.
pub(super) struct Claim {
    /// It holds …
    pub holds: Term,
    /// … for some values of these,
    pub choices: FxHashSet<Symbol>,
    /// of which these choose between alternatives.
    pub selectors: FxHashSet<Symbol>,
}

/// What it takes to show implications over one pool of terms.
pub(super) struct Prover {
    solver: Solver,
    /// Places of symbols in an order for diagrams.
    places: Vec<(u32, Symbol)>,
    qbf: Qbf,
    limits: Limits,
    /// How often a solver was called.
    pub calls: u64,
}

impl Prover {
    pub fn new(limits: &Limits) -> Self {
        let (solver, qbf) = (Solver::new(limits), Qbf::new(limits));
        Self { solver, places: Vec::new(), qbf, limits: limits.clone(), calls: 0 }
    }

    /// Tells where a symbol stands in the order for diagrams.
    pub fn place(&mut self, terms: &Terms, symbol: Term, place: u32) {
        self.places.extend(terms.as_symbol(symbol).map(|symbol| (place, symbol)));
    }

    /// Whether the claim holds wherever the premise does.
    pub fn implies(&mut self, terms: &mut Terms, premise: Term, claim: &Claim) -> Result<bool, Stopped> {
        if terms.is_false(premise) || terms.is_true(claim.holds) {
            return Ok(true);
        }
        self.calls += 1;
        if !claim.choices.is_empty() {
            let Claim { holds: conclusion, ref choices, ref selectors } = *claim;
            let question = Question { existential: choices, selectors, premise, conclusion };
            return Ok(self.qbf.counterexample(terms, question)?.is_none());
        }
        let fails = terms.not(claim.holds);
        let query = [premise, fails];
        if let Some(answer) = self.solver.check_within(terms, &query, CONFLICTS)? {
            return Ok(answer == Answer::Unsat);
        }
        if let Some(answer) = self.by_diagrams(terms, &query)? {
            return Ok(answer == Answer::Unsat);
        }
        Ok(self.solver.check(terms, &query)? == Answer::Unsat)
    }

    /// What diagrams say in the order of the certificate; what has no place there stands below all.
    fn by_diagrams(&mut self, terms: &mut Terms, query: &[Term]) -> Result<Option<Answer>, Stopped> {
        self.calls += 1;
        self.places.sort_unstable();
        let groups: Vec<Vec<Symbol>> = self
            .places
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| group.iter().map(|&(_, symbol)| symbol).collect())
            .collect();
        Decider::new(terms, &groups, &self.limits)?.check(terms, query, NODES)
    }
}
