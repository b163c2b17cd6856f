//! A third solver, by propagation of bounds: shows at once that some formulas have no model, and tells nothing of the others.
//!
//! Benhamou, Goualard, Granvilliers, Puget: *Revising hull and box consistency*, ICLP 1999 (HC4): the terms are a graph; bounds go
//! from operands to results (`forward`) and from results to operands (`backward`), until nothing changes. A formula has to be
//! true; where a set becomes empty, there is no model. Where truth values stay open, one is tried both ways.
//!
//! For invariants that are boxes: an obligation such as `250 ≤ x ≤ 300 ∧ x' = (x % 40) · 5 / 3 + 100 ⇒ 100 ≤ x' ≤ 165` takes
//! microseconds here, and up to half a second by SAT, for which products and quotients of 32 bits are large.
//!
//! Soundness: every set contains the values that its term has in any model of the formulas and of the choices made. A case is
//! closed only where a set is empty, and both cases of a choice are.

mod backward;
mod forward;
#[cfg(test)]
mod tests;
mod values;

use crate::term::{BinaryOp, Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use values::{Values, WIDEST};

/// How often bounds go up and down before a case is split.
const ROUNDS: usize = 6;

/// Whether some formulas are seen to have no common model, with so many revisions of terms at most.
pub fn refutes(terms: &Terms, formulas: &[Term], revisions: usize) -> bool {
    let Some(graph) = Graph::of(terms, formulas) else { return false };
    let mut left = revisions;
    let Some(first) = graph.start(formulas) else { return true };
    let mut open = vec![first];
    while let Some(case) = open.pop() {
        let Ok(settled) = graph.settle(case, &mut left) else { return false };
        let Some(case) = settled else { continue };
        let Some(choice) = graph.choice(&case) else { return false };
        for truth in [true, false] {
            let mut side = case.clone();
            side[choice] = Values::truth(truth);
            open.push(side);
        }
    }
    true
}

/// What is known of each term, by its place in the graph.
type Known = Vec<Values>;

/// Too many revisions.
struct TooLong;

/// A term, with operands by their places.
#[derive(Clone, Copy, Debug)]
enum Revised {
    /// Nothing is known but its width, or it is a constant.
    Leaf,
    Not(usize),
    Neg(usize),
    Binary(BinaryOp, usize, usize),
    Ite(usize, usize, usize),
    Extract {
        arg: usize,
        lo: u16,
    },
    Concat(usize, usize),
    ZExt(usize),
    SExt(usize),
}

/// The terms of some formulas, operands first. Arrays and words that are too wide have no place: what is made of them is a leaf.
struct Graph {
    nodes: Vec<Revised>,
    /// What the terms themselves tell: their widths, and constants.
    known: Known,
    places: FxHashMap<Term, usize>,
}

impl Graph {
    /// Nothing if a formula is no truth value that is tracked.
    fn of(terms: &Terms, formulas: &[Term]) -> Option<Self> {
        let mut graph = Self { nodes: Vec::new(), known: Vec::new(), places: FxHashMap::default() };
        for t in terms.subterms(formulas) {
            let Sort::Bits(width @ 1..=WIDEST) = terms.sort(t) else { continue };
            let node = terms.node(t);
            let place = |t: Term| graph.places.get(&t).copied();
            let (revised, known) = match node {
                Node::Const { bits, .. } => (None, Values::constant(width, bits as i128)),
                _ => (revised(node, place), Values::any(width)),
            };
            graph.places.insert(t, graph.nodes.len());
            graph.nodes.push(revised.unwrap_or(Revised::Leaf));
            graph.known.push(known);
        }
        formulas.iter().all(|t| graph.places.contains_key(t)).then_some(graph)
    }

    /// All formulas are true; nothing if one of them is the constant that is not.
    fn start(&self, formulas: &[Term]) -> Option<Known> {
        let mut known = self.known.clone();
        for formula in formulas {
            let place = self.places[formula];
            known[place] = known[place].meet(&Values::truth(true))?;
        }
        Some(known)
    }

    /// Sends bounds up and down until nothing changes; nothing if there is no model.
    fn settle(&self, mut known: Known, left: &mut usize) -> Result<Option<Known>, TooLong> {
        for _ in 0..ROUNDS {
            *left = left.checked_sub(2 * self.nodes.len()).ok_or(TooLong)?;
            let mut changed = false;
            for (i, &node) in self.nodes.iter().enumerate() {
                let Some(met) =
                    up(node, known[i].width, &known).map_or(Some(known[i]), |result| known[i].meet(&result))
                else {
                    return Ok(None);
                };
                changed |= met != known[i];
                known[i] = met;
            }
            for (i, &node) in self.nodes.iter().enumerate().rev() {
                match backward::revise(node, i, &mut known) {
                    None => return Ok(None),
                    Some(narrower) => changed |= narrower,
                }
            }
            if !changed {
                break;
            }
        }
        Ok(Some(known))
    }

    /// A truth value to try both ways: part of a disjunction that has to hold, else the condition of a choice between values,
    /// else any that is open.
    fn choice(&self, known: &Known) -> Option<usize> {
        let is_open = |i: usize| known[i].width == 1 && known[i].as_truth().is_none();
        let disjunct = self.nodes.iter().zip(known).rev().find_map(|(&node, result)| match node {
            Revised::Binary(op @ (BinaryOp::Or | BinaryOp::And), a, b) if result.width == 1 => {
                let wanted = op == BinaryOp::Or;
                (result.as_truth() == Some(wanted) && is_open(a) && is_open(b)).then_some(b)
            }
            _ => None,
        });
        let condition = || {
            self.nodes.iter().find_map(|&node| match node {
                Revised::Ite(condition, ..) if is_open(condition) => Some(condition),
                _ => None,
            })
        };
        disjunct.or_else(condition).or_else(|| (0..self.nodes.len()).find(|&i| is_open(i)))
    }
}

fn revised(node: Node, place: impl Fn(Term) -> Option<usize>) -> Option<Revised> {
    Some(match node {
        Node::Not(x) => Revised::Not(place(x)?),
        Node::Neg(x) => Revised::Neg(place(x)?),
        Node::Binary(op, x, y) => Revised::Binary(op, place(x)?, place(y)?),
        Node::Ite(condition, yes, no) => Revised::Ite(place(condition)?, place(yes)?, place(no)?),
        Node::Extract { arg, lo, .. } => Revised::Extract { arg: place(arg)?, lo },
        Node::Concat(high, low) => Revised::Concat(place(high)?, place(low)?),
        Node::ZExt(x, _) => Revised::ZExt(place(x)?),
        Node::SExt(x, _) => Revised::SExt(place(x)?),
        _ => return None,
    })
}

/// What the operands of a term of so many bits tell of it.
fn up(node: Revised, width: u16, known: &Known) -> Option<Values> {
    Some(match node {
        Revised::Leaf => return None,
        Revised::Not(x) => forward::not(&known[x]),
        Revised::Neg(x) => forward::sum(&Values::constant(width, 0), -1, &known[x]),
        Revised::Binary(op, x, y) => forward::binary(op, &known[x], &known[y]),
        Revised::Ite(condition, yes, no) => match known[condition].as_truth() {
            Some(true) => known[yes],
            Some(false) => known[no],
            None => known[yes].hull(&known[no]),
        },
        Revised::Extract { arg, lo } => forward::extract(&known[arg], lo, width),
        Revised::Concat(high, low) => forward::concat(&known[high], &known[low]),
        Revised::ZExt(x) => forward::resized(width, known[x].unsigned, known[x].low),
        Revised::SExt(x) => forward::resized(width, known[x].signed, known[x].low),
    })
}
