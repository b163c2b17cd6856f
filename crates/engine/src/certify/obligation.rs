//! What must not happen on the paths from one entry, and how it is shown that it does not: what has arithmetic by bounds; the
//! rest all at once if that is easy, else obligation by obligation, else fact by fact, which also tells what does happen.

use super::prover::Prover;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::VarId;
use robusto_limits::Stopped;
use robusto_logic::{Answer, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What paths must not do.
pub(super) enum Bad {
    /// Be taken: their guard.
    Taken(Term),
    /// End where a formula does not hold.
    Violating(Term, PathFormula),
}

/// Something that must not happen.
pub(super) struct Obligation {
    pub bad: Bad,
    /// What it would mean, for people.
    pub what: String,
}

/// A formula that must have no model.
struct Question {
    bad: Term,
    /// The part of an invariant that it violates.
    fact: Option<Term>,
}

impl Obligation {
    /// The terms that must not be true together with what is assumed.
    pub fn terms(&self, encoder: &mut Encoder<'_>) -> Vec<Term> {
        self.questions(encoder).into_iter().map(|question| question.bad).collect()
    }

    fn questions(&self, encoder: &mut Encoder<'_>) -> Vec<Question> {
        let (wanted, after) = match &self.bad {
            Bad::Taken(guard) => return vec![Question { bad: *guard, fact: None }],
            Bad::Violating(wanted, after) => (*wanted, after),
        };
        let mut questions = Vec::new();
        for fact in encoder.terms.conjuncts(wanted) {
            let holds = encoder.apply(after, fact);
            let fails = encoder.terms.not(holds);
            questions.push(Question { bad: encoder.terms.and(after.guard, fails), fact: Some(fact) });
        }
        questions
    }
}

/// What can happen all the same.
pub(super) struct Refuted<'o> {
    pub what: &'o str,
    /// The part of an invariant that is violated.
    pub fact: Option<Term>,
}

/// Looks for an obligation that is not met by the paths from where a formula is assumed. Decision diagrams are tried only where
/// there is an order for them.
pub(super) fn refute<'o>(
    encoder: &mut Encoder<'_>,
    prover: &mut Prover,
    order: Option<&Order>,
    assumed: Term,
    obligations: &'o [Obligation],
) -> Result<Option<Refuted<'o>>, Stopped> {
    let questions: Vec<Vec<Question>> = obligations.iter().map(|o| o.questions(encoder)).collect();
    let formulas: Vec<Term> = [assumed].into_iter().chain(questions.iter().flatten().map(|q| q.bad)).collect();
    let narrowed = encoder.terms.narrow(&formulas);
    let [assumed, ref bad @ ..] = narrowed.formulas[..] else { unreachable!("what is assumed comes first") };
    let mut rest = bad;
    let mut open: Vec<(&Obligation, &[Question], &[Term])> = Vec::new();
    for (obligation, questions) in obligations.iter().zip(&questions) {
        let (bad, others) = rest.split_at(questions.len());
        rest = others;
        if !prover.excludes_by_bounds(&mut encoder.terms, assumed, bad) {
            open.push((obligation, questions, bad));
        }
    }
    let bad: Vec<Term> = open.iter().flat_map(|(.., bad)| bad.iter().copied()).collect();
    let any = encoder.terms.or_all(&bad);
    let answer = if encoder.terms.is_false(any) {
        Some(Answer::Unsat)
    } else {
        prover.easily(&mut encoder.terms, assumed, any)?
    };
    match answer {
        Some(Answer::Unsat) => return Ok(None),
        // Which it is, SAT tells as easily.
        Some(Answer::Sat) => {}
        None => {
            if let Some(order) = order {
                let small = |symbol: Symbol| narrowed.symbols.get(&symbol).copied().unwrap_or(symbol);
                let groups = order.groups(encoder, &formulas, obligations).into_iter();
                let groups: Vec<Vec<Symbol>> = groups.map(|g| g.into_iter().map(small).collect()).collect();
                prover.set_order(&mut encoder.terms, &groups)?;
            }
        }
    }
    let terms = &mut encoder.terms;
    for (obligation, questions, bad) in open {
        let any = terms.or_all(bad);
        if prover.excludes_easily(terms, assumed, any)? {
            continue;
        }
        for (&bad, question) in bad.iter().zip(questions) {
            if !prover.excludes(terms, assumed, bad)? {
                return Ok(Some(Refuted { what: &obligation.what, fact: question.fact }));
            }
        }
    }
    Ok(None)
}

/// An order of variables that suits decision diagrams: as the program uses them.
pub(super) struct Order {
    /// In which group a variable is.
    places: FxHashMap<VarId, usize>,
    groups: usize,
}

impl Order {
    pub fn of(facts: &Facts) -> Self {
        let clusters = robusto_finite::order(facts);
        let groups = clusters.len();
        let with_place = |(place, cluster): (usize, Vec<VarId>)| cluster.into_iter().map(move |var| (var, place));
        Self { places: clusters.into_iter().enumerate().flat_map(with_place).collect(), groups }
    }

    /// The variables of formulas, choices beside the variables that they become the value of.
    fn groups(&self, encoder: &Encoder<'_>, formulas: &[Term], obligations: &[Obligation]) -> Vec<Vec<Symbol>> {
        let terms = &encoder.terms;
        let mut groups: Vec<Vec<Symbol>> = vec![Vec::new(); self.groups];
        let mut placed = FxHashSet::default();
        let mut place = |cell: Cell, symbol: Symbol| {
            if let Cell::Var(var, _) = cell
                && let Some(&place) = self.places.get(&var)
                && matches!(terms.sort(terms.symbol_term(symbol)), Sort::Bits(_))
                && placed.insert(symbol)
            {
                groups[place].push(symbol);
            }
        };
        for symbol in terms.subterms(formulas).into_iter().filter_map(|t| terms.as_symbol(t)) {
            if let Some(cell) = encoder.cell_of(symbol).or_else(|| encoder.old_of(symbol)) {
                place(cell, symbol);
            }
        }
        for obligation in obligations {
            let Bad::Violating(_, after) = &obligation.bad else { continue };
            for (&cell, &value) in &after.env {
                terms.symbols(value).into_iter().for_each(|symbol| place(cell, symbol));
            }
        }
        groups
    }
}
