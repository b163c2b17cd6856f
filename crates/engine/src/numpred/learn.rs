//! What is learned from atoms that exclude a way to an error.
//!
//! The paper tracks the variables of the atoms first, and takes the atoms as predicates only if all of these are tracked. Here variables
//! that are names for things (compared with constants for equality only, and assigned) come last: each of them would double
//! the numeric values of NEX and MTNDD, and two values of such a variable have nothing in between. (`locks` with 15 locks: all four data
//! structures prove it in this order, none in the paper's.)

use super::abstraction::Abstraction;
use super::cycle::Options;
use robusto_analyses::numeric::Variables;
use robusto_analyses::symbolic::Cell;
use robusto_cfa::analysis::classify::Class;
use robusto_cfa::ir::VarId;
use robusto_logic::Term;
use std::collections::BTreeSet;

/// Most predicates. An abstraction with more takes longer than engines give it.
const MOST_PREDICATES: usize = 60;

/// What may be learned.
pub struct Learner<'l> {
    /// What is fixed.
    pub options: &'l Options,
    /// The variables that can be tracked.
    pub variables: &'l Variables,
}

impl Learner<'_> {
    /// Whether there was something new: a variable, or a predicate.
    pub fn learn(&self, abstraction: &mut Abstraction<'_>, tracked: &mut BTreeSet<VarId>, atoms: &[Term]) -> bool {
        let (names, numbers): (Vec<VarId>, Vec<VarId>) =
            self.mentioned(abstraction, atoms).into_iter().partition(|&var| is_name(abstraction, var));
        self.track(tracked, numbers) || self.add(abstraction, atoms) || self.track(tracked, names)
    }

    fn mentioned(&self, abstraction: &Abstraction<'_>, atoms: &[Term]) -> BTreeSet<VarId> {
        let encoder = &abstraction.encoder;
        let symbols = atoms.iter().flat_map(|&atom| encoder.terms.symbols(atom));
        let variables = symbols.filter_map(|symbol| match encoder.cell_of(symbol) {
            Some(Cell::Var(var, 0)) => Some(var),
            _ => None,
        });
        variables.filter(|&var| self.variables.any_integer(var).is_some()).collect()
    }

    fn track(&self, tracked: &mut BTreeSet<VarId>, variables: Vec<VarId>) -> bool {
        if self.options.variables.is_some() {
            return false;
        }
        let known = tracked.len();
        tracked.extend(variables);
        tracked.len() > known
    }

    fn add(&self, abstraction: &mut Abstraction<'_>, atoms: &[Term]) -> bool {
        if self.options.predicates.is_some() {
            return false;
        }
        let known = abstraction.predicates.len();
        for &atom in atoms {
            let opposite = abstraction.encoder.terms.not(atom);
            let predicates = &mut abstraction.predicates;
            if !predicates.contains(&atom) && !predicates.contains(&opposite) && predicates.len() < MOST_PREDICATES {
                predicates.push(atom);
            }
        }
        abstraction.predicates.len() > known
    }
}

fn is_name(abstraction: &Abstraction<'_>, var: VarId) -> bool {
    matches!(abstraction.encoder.facts().classes.class(var), Class::Boolean | Class::Enumerated(_))
}
