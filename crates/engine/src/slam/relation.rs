//! The relation between the values of predicates before and behind the paths of a link, computed with the solver.
//!
//! Graf, Saïdi: *Construction of abstract state graphs with PVS*, CAV 1997; cubes as in Ball, Majumdar, Millstein, Rajamani:
//! *Automatic predicate abstraction of C programs*, PLDI 2001.
//!
//! It is the strongest relation, by enumeration, for 12 predicates in any case: as long as there are not more than
//! [`VALUATIONS`]. Else each predicate behind the link is determined by itself, from cubes of at most [`CUBE`] predicates in
//! its cone of influence.
//!
//! Soundness: the enumeration has every valuation that some path has. Of a cube, the solver has proved that where it holds
//! the predicate has one value, or that no path is taken.

use super::formula::Formula;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Evaluator, Solver, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use std::rc::Rc;

/// Most valuations of an exact relation: those of 12 predicates.
const VALUATIONS: usize = 1 << 12;

/// Most predicates of an exact relation, those before and those behind together. With so many, and half a millisecond per
/// valuation, an enumeration that fails takes some seconds.
const MOST: usize = 40;

/// Most predicates of a cube.
const CUBE: usize = 3;

/// Questions by cubes for all predicates behind a link, and at least for each of them; what is left then is open. With 60
/// conditions of a state machine (`ssh-simplified`) a question takes up to a millisecond.
const QUESTIONS: (usize, usize) = (6_000, 100);

/// What the solver is asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Question {
    /// When a path is taken.
    pub guard: Term,
    /// Predicates before.
    pub before: Vec<Term>,
    /// Predicates behind, over the values before.
    pub behind: Vec<Term>,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// No path is taken.
    Empty,
    /// The valuations of some predicates before, by number, and of all behind, as disjoint cubes.
    Exact {
        /// Those before.
        before: Vec<usize>,
        /// The cubes, predicates before first.
        cubes: Vec<Vec<Option<bool>>>,
    },
    /// What is known of each predicate by itself.
    Cubes {
        /// Where no path is taken.
        blocked: Vec<Cube>,
        /// For each predicate behind, where it is true and where it is false.
        values: Vec<[Vec<Cube>; 2]>,
    },
}

/// A conjunction of predicates before, by number, and their values.
pub type Cube = Vec<(usize, bool)>;

/// Computes relations, each once.
pub struct Relations {
    solver: Solver,
    known: FxHashMap<Question, Rc<Relation>>,
    /// For pairs of predicates, the values that exclude each other.
    exclusions: FxHashMap<[Term; 2], Vec<[bool; 2]>>,
}

/// Values of two predicates, by number, that no state has.
pub type Exclusion = [(usize, bool); 2];

impl Relations {
    /// Nothing is known yet.
    pub fn new(limits: &Limits) -> Self {
        Self { solver: Solver::for_enumeration(limits), known: FxHashMap::default(), exclusions: FxHashMap::default() }
    }

    /// The relation.
    pub fn of(&mut self, terms: &mut Terms, question: Question) -> Result<Rc<Relation>, Stopped> {
        if let Some(known) = self.known.get(&question) {
            return Ok(known.clone());
        }
        let relation = Rc::new(self.compute(terms, &question)?);
        self.known.insert(question, relation.clone());
        Ok(relation)
    }

    /// The pairs of values of some predicates that the solver excludes.
    pub fn exclusions(&mut self, terms: &mut Terms, predicates: &[Term]) -> Result<Vec<Exclusion>, Stopped> {
        let mut found = Vec::new();
        for (j, &second) in predicates.iter().enumerate() {
            for (i, &first) in predicates[..j].iter().enumerate() {
                for [a, b] in self.excluded(terms, [first, second])? {
                    found.push([(i, a), (j, b)]);
                }
            }
        }
        Ok(found)
    }

    fn excluded(&mut self, terms: &mut Terms, pair: [Term; 2]) -> Result<Vec<[bool; 2]>, Stopped> {
        if let Some(known) = self.exclusions.get(&pair) {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        for values in [[true, true], [true, false], [false, true], [false, false]] {
            let both = [0, 1].map(|k| if values[k] { pair[k] } else { terms.not(pair[k]) });
            if self.solver.check(terms, &both)? == Answer::Unsat {
                found.push(values);
            }
        }
        self.exclusions.insert(pair, found.clone());
        Ok(found)
    }

    /// The solver.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    fn compute(&mut self, terms: &mut Terms, question: &Question) -> Result<Relation, Stopped> {
        let Question { guard, before, behind } = question;
        if self.solver.check(terms, &[*guard])? == Answer::Unsat {
            return Ok(Relation::Empty);
        }
        let symbols = symbols_of(terms, before);
        let roots: Vec<Term> = behind.iter().copied().chain([*guard]).collect();
        // What shares nothing with the rest is unrelated to it.
        let inside = cone(terms, &symbols, &roots);
        if inside.len() + behind.len() > MOST {
            return self.cubes(terms, question);
        }
        let literals: Vec<Term> = inside.iter().map(|&i| before[i]).chain(behind.iter().copied()).collect();
        let mut cubes: Vec<Vec<Option<bool>>> = Vec::new();
        self.solver.all_sat(terms, &[*guard], &literals, |cube| {
            cubes.push(cube.to_vec());
            if cubes.len() > VALUATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if cubes.len() > VALUATIONS {
            return self.cubes(terms, question);
        }
        Ok(Relation::Exact { before: inside, cubes })
    }

    fn cubes(&mut self, terms: &mut Terms, question: &Question) -> Result<Relation, Stopped> {
        let Question { guard, before, behind } = question;
        let symbols = symbols_of(terms, before);
        let blocked = self.implicants(terms, question, &cone(terms, &symbols, &[*guard]), None)?;
        let mut values = Vec::with_capacity(behind.len());
        for &wanted in behind {
            let cone = cone(terms, &symbols, &[*guard, wanted]);
            let opposite = terms.not(wanted);
            let yes = self.implicants(terms, question, &cone, Some(opposite))?;
            let no = self.implicants(terms, question, &cone, Some(wanted))?;
            values.push([yes, no]);
        }
        Ok(Relation::Cubes { blocked, values })
    }

    /// The shortest cubes of some predicates before under which no path ends with something.
    fn implicants(
        &mut self,
        terms: &mut Terms,
        question: &Question,
        cone: &[usize],
        something: Option<Term>,
    ) -> Result<Vec<Cube>, Stopped> {
        let (together, each) = QUESTIONS;
        let most = each.max(together / (2 * question.behind.len() + 1));
        let mut found: Vec<Cube> = Vec::new();
        // Valuations of paths that do end so.
        let mut seen: Vec<Vec<bool>> = Vec::new();
        let mut questions = 0;
        let mut level: Vec<Cube> = vec![Vec::new()];
        for length in 0..=CUBE {
            let mut next = Vec::new();
            for cube in level {
                if found.iter().any(|shorter| shorter.iter().all(|literal| cube.contains(literal))) {
                    continue;
                }
                let is_possible = seen.iter().any(|values| cube.iter().all(|&(i, value)| values[i] == value));
                if !is_possible {
                    questions += 1;
                    if questions > most {
                        return Ok(found);
                    }
                    let mut assumptions = vec![question.guard];
                    assumptions.extend(something);
                    for &(i, value) in &cube {
                        let term = question.before[i];
                        assumptions.push(if value { term } else { terms.not(term) });
                    }
                    if self.solver.check(terms, &assumptions)? == Answer::Unsat {
                        found.push(cube);
                        continue;
                    }
                    let model = self.solver.model(terms);
                    let mut values = Evaluator::new(terms, &model);
                    seen.push(question.before.iter().map(|&t| values.value(t) == 1).collect());
                }
                if length < CUBE {
                    let last = cube.last().map(|&(i, _)| i);
                    for &i in cone.iter().filter(|&&i| last.is_none_or(|last| i > last)) {
                        for value in [true, false] {
                            let mut longer = cube.clone();
                            longer.push((i, value));
                            next.push(longer);
                        }
                    }
                }
            }
            level = next;
        }
        Ok(found)
    }
}

fn symbols_of(terms: &Terms, list: &[Term]) -> Vec<FxHashSet<Symbol>> {
    list.iter().map(|&t| terms.symbols(t).into_iter().collect()).collect()
}

/// The predicates before that share a symbol with some terms, or with one that does.
fn cone(terms: &Terms, symbols: &[FxHashSet<Symbol>], roots: &[Term]) -> Vec<usize> {
    let mut reached: FxHashSet<Symbol> = roots.iter().flat_map(|&t| terms.symbols(t)).collect();
    let mut inside = vec![false; symbols.len()];
    while let Some(i) = (0..symbols.len()).find(|&i| !inside[i] && !symbols[i].is_disjoint(&reached)) {
        inside[i] = true;
        reached.extend(&symbols[i]);
    }
    (0..symbols.len()).filter(|&i| inside[i]).collect()
}

/// A relation as an assignment.
pub struct Assignment {
    /// What must hold before.
    pub assume: Formula,
    /// The values.
    pub values: Vec<Formula>,
    /// How values before and behind are related.
    pub constrain: Formula,
}

impl Relation {
    /// The relation as an assignment to some variables, given the formulas of the predicates before; `None` if it is empty.
    pub fn step(&self, before: &[Formula], targets: &[Rc<str>]) -> Option<Assignment> {
        match self {
            Relation::Empty => None,
            Relation::Exact { before: inside, cubes } => {
                let next = targets.iter().map(|name| Formula::Next(name.clone()));
                let leaves: Vec<Formula> = inside.iter().map(|&i| before[i].clone()).chain(next).collect();
                let cubes: Vec<&[Option<bool>]> = cubes.iter().map(Vec::as_slice).collect();
                let related = Formula::of_cubes(&cubes, &leaves);
                let (assume, constrain) =
                    if targets.is_empty() { (related, Formula::Const(true)) } else { (Formula::Const(true), related) };
                let values = vec![Formula::Choice; targets.len()];
                (assume != Formula::Const(false) && constrain != Formula::Const(false)).then_some(Assignment {
                    assume,
                    values,
                    constrain,
                })
            }
            Relation::Cubes { blocked, values } => {
                let any = |cubes: &[Cube]| {
                    let cube = |cube: &Cube| {
                        Formula::all(cube.iter().map(|&(i, value)| before[i].clone().literal(value)).collect())
                    };
                    Formula::some(cubes.iter().map(cube).collect())
                };
                let assume = any(blocked).literal(false);
                let value = |[yes, no]: &[Vec<Cube>; 2]| match (any(yes), any(no)) {
                    (Formula::Const(false), Formula::Const(false)) => Formula::Choice,
                    (yes, no) => Formula::Schoose(Box::new(yes), Box::new(no)),
                };
                let values = values.iter().map(value).collect();
                (assume != Formula::Const(false)).then_some(Assignment {
                    assume,
                    values,
                    constrain: Formula::Const(true),
                })
            }
        }
    }
}
