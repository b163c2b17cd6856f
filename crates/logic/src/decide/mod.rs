//! A second solver, by decision diagrams, for formulas that clause learning finds hard: those that were diagrams before.
//!
//! A set of states that a fixed point of diagrams has found is an if-then-else over thousands of nodes. To see that one such
//! set implies another is a walk over both in the right order of variables; clause learning does not find that walk.
//! (Obligations of token_ring.10: 30 s of SAT become 0.1 s.) Quotients by constants are small in the right order, too.
//!
//! | step | how |
//! |---|---|
//! | gates | as for SAT ([`crate::blast`]); reads of arrays are free bits, so that only [`Answer::Unsat`] is final with them |
//! | order | from the caller: groups of variables whose bits are interleaved, the most significant first |
//! | functions | gate by gate (`diagram`) |
//! | [`Decider::check_restricted`] | gate by gate, over inputs that take only values which satisfy the assumptions |

mod diagram;

use crate::blast::Blaster;
use crate::blast::aig::{Gate, Lit};
use crate::{Answer, Symbol, Term, Terms};
use diagram::{Diagram, Function, Interrupted};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// Gates between two looks at the clock.
const POLL: usize = 256;

/// A solver for the terms of one pool.
pub struct Decider {
    blaster: Blaster,
    diagram: Diagram,
    /// Levels of the inputs, by their node in the graph of gates.
    levels: FxHashMap<usize, u32>,
    /// Functions of the gates.
    functions: FxHashMap<usize, Function>,
    /// What inputs are restricted to, and what has been restricted so far.
    care: Option<(Function, FxHashMap<(Function, Function), Function>)>,
}

impl Decider {
    /// A solver with an order of variables. What is in no group comes last. Gives up when a limit is reached.
    pub fn new(terms: &mut Terms, groups: &[Vec<Symbol>], limits: &Limits) -> Result<Self, Stopped> {
        let mut blaster = Blaster::default();
        let diagram = Diagram::new(limits);
        let mut levels = FxHashMap::default();
        for group in groups {
            let words: Vec<Term> = group.iter().map(|&symbol| terms.symbol_term(symbol)).collect();
            for &t in &words {
                blaster.blast(terms, t, limits)?;
            }
            let widest = words.iter().map(|&t| terms.width(t)).max().unwrap_or(0);
            for bit in (0..widest).rev() {
                for input in words.iter().filter_map(|&t| blaster.bits(terms, t).get(usize::from(bit))) {
                    levels.insert(input.node(), levels.len() as u32);
                }
            }
        }
        Ok(Self { blaster, diagram, levels, functions: FxHashMap::default(), care: None })
    }

    /// Whether formulas have a common model; `None` if that takes more than so many nodes to tell.
    pub fn check(&mut self, terms: &mut Terms, formulas: &[Term], nodes: usize) -> Result<Option<Answer>, Stopped> {
        self.translate(terms, formulas)?;
        if self.diagram.len() > nodes / 2 {
            self.forget();
        }
        self.diagram.set_room(nodes);
        let empty = self.conjunction(terms, formulas).map(|all| all == Function::FALSE);
        self.answer(empty, formulas)
    }

    /// The same for a formula that is hard, and assumptions that are not and leave few values for the inputs.
    pub fn check_restricted(
        &mut self,
        terms: &mut Terms,
        assumed: &[Term],
        formula: Term,
        nodes: usize,
    ) -> Result<Option<Answer>, Stopped> {
        let formulas = [assumed, &[formula]].concat();
        self.translate(terms, &formulas)?;
        self.forget();
        self.diagram.set_room(nodes);
        let empty = self.restricted(terms, assumed, formula).map(|rest| rest == Function::FALSE);
        self.care = None;
        self.forget();
        self.answer(empty, &formulas)
    }

    fn translate(&mut self, terms: &mut Terms, formulas: &[Term]) -> Result<(), Stopped> {
        formulas.iter().try_for_each(|&t| self.blaster.blast(terms, t, &self.diagram.limits))
    }

    fn answer(&self, empty: Result<bool, Interrupted>, formulas: &[Term]) -> Result<Option<Answer>, Stopped> {
        match empty {
            Ok(true) => Ok(Some(Answer::Unsat)),
            Ok(false) if formulas.iter().any(|&t| self.blaster.is_lazy(t)) => Ok(None),
            Ok(false) => Ok(Some(Answer::Sat)),
            Err(Interrupted::Full) => Ok(None),
            Err(Interrupted::Stopped) => Err(self.diagram.limits.why()),
        }
    }

    fn forget(&mut self) {
        self.diagram.clear();
        self.functions.clear();
    }

    fn conjunction(&mut self, terms: &Terms, formulas: &[Term]) -> Result<Function, Interrupted> {
        let mut all = Function::TRUE;
        for &t in formulas {
            let f = self.function(self.blaster.bits(terms, t)[0])?;
            all = self.diagram.and(all, f)?;
        }
        Ok(all)
    }

    /// A function that is empty if and only if the formula has no model together with the assumptions.
    fn restricted(&mut self, terms: &Terms, assumed: &[Term], formula: Term) -> Result<Function, Interrupted> {
        let care = self.conjunction(terms, assumed)?;
        if care == Function::FALSE {
            return Ok(care);
        }
        self.functions.clear();
        self.care = Some((care, FxHashMap::default()));
        self.function(self.blaster.bits(terms, formula)[0])
    }

    /// The function of a gate.
    fn function(&mut self, root: Lit) -> Result<Function, Interrupted> {
        let mut cone = Vec::new();
        let mut todo = vec![root.node()];
        while let Some(node) = todo.pop() {
            if self.functions.contains_key(&node) {
                continue;
            }
            // Built below, in the order of the numbers: operands have smaller ones.
            self.functions.insert(node, Function::FALSE);
            cone.push(node);
            match self.blaster.aig.gate(node) {
                Gate::And(a, b) => todo.extend([a.node(), b.node()]),
                Gate::NotMux(c, a, b) => todo.extend([c.node(), a.node(), b.node()]),
                Gate::Constant | Gate::Input => {}
            }
        }
        cone.sort_unstable();
        for (i, &node) in cone.iter().enumerate() {
            let is_stopped = i.is_multiple_of(POLL) && self.diagram.limits.look().is_err();
            let built = if is_stopped { Err(Interrupted::Stopped) } else { self.gate(node) };
            if built.is_err() {
                for unbuilt in &cone[i..] {
                    self.functions.remove(unbuilt);
                }
            }
            self.functions.insert(node, built?);
        }
        Ok(self.built(root))
    }

    fn built(&self, lit: Lit) -> Function {
        self.functions[&lit.node()].negate_if(lit.is_negated())
    }

    fn gate(&mut self, node: usize) -> Result<Function, Interrupted> {
        match self.blaster.aig.gate(node) {
            Gate::Constant => Ok(Function::FALSE),
            Gate::Input => {
                let next = self.levels.len() as u32;
                let level = *self.levels.entry(node).or_insert(next);
                let variable = self.diagram.variable(level)?;
                match &mut self.care {
                    Some((care, done)) => self.diagram.constrain(variable, *care, done),
                    None => Ok(variable),
                }
            }
            Gate::And(a, b) => {
                let (a, b) = (self.built(a), self.built(b));
                self.diagram.and(a, b)
            }
            Gate::NotMux(c, a, b) => {
                let (c, a, b) = (self.built(c), self.built(a), self.built(b));
                Ok(!self.diagram.ite(c, a, b)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinaryOp, Solver, Sort};
    use std::sync::Arc;
    use std::time::Duration;

    /// A formula over three variables of four bits, from a number.
    fn formula(terms: &mut Terms, mut n: u64) -> Term {
        let mut digit = |below: u64| {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (n >> 33) % below
        };
        let mut pool: Vec<Term> = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(4))).to_vec();
        pool.extend([3, 9].map(|value| terms.constant(4, value)));
        let mut truths = Vec::new();
        for _ in 0..12 {
            let [a, b] = [0, 0].map(|_| pool[digit(pool.len() as u64) as usize]);
            let op = BinaryOp::ALL[digit(18) as usize];
            let t = terms.build(crate::Node::Binary(op, a, b));
            if op.is_comparison() { &mut truths } else { &mut pool }.push(t);
        }
        let mut all = terms.yes();
        for t in truths {
            let t = if digit(2) == 0 { terms.not(t) } else { t };
            all = if digit(4) == 0 { terms.or(all, t) } else { terms.and(all, t) };
        }
        all
    }

    #[test]
    fn agrees_with_the_solver() {
        let (mut sat, mut unsat) = (0, 0);
        for n in 0..400 {
            let mut terms = Terms::new();
            let (a, b) = (formula(&mut terms, 2 * n), formula(&mut terms, 2 * n + 1));
            let expected = Solver::new(&Limits::none()).check(&mut terms, &[a, b]).expect("not stopped");
            let symbols: Vec<Symbol> = ["x", "y"]
                .map(|name| terms.symbol(name, Sort::Bits(4)))
                .map(|t| terms.as_symbol(t).expect("one"))
                .into();
            for groups in [vec![], vec![symbols.clone()], vec![vec![symbols[1]], vec![symbols[0]]]] {
                let mut decider = Decider::new(&mut terms, &groups, &Limits::none()).expect("not stopped");
                assert_eq!(decider.check(&mut terms, &[a, b], 1 << 16), Ok(Some(expected)), "{n}");
                assert_eq!(decider.check_restricted(&mut terms, &[a], b, 1 << 16), Ok(Some(expected)), "{n}");
            }
            *(if expected == Answer::Sat { &mut sat } else { &mut unsat }) += 1;
        }
        assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
    }

    #[test]
    fn gives_up_when_there_is_no_room() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(16)));
        let product = terms.mul(x, y);
        let equal = terms.eq(product, z);
        let [less, more] = [terms.ult(x, y), terms.ult(y, x)];
        let mut decider = Decider::new(&mut terms, &[], &Limits::none()).expect("not stopped");
        assert_eq!(decider.check(&mut terms, &[equal], 1000), Ok(None));
        assert_eq!(
            decider.check(&mut terms, &[less, more], 1 << 20),
            Ok(Some(Answer::Unsat)),
            "what failed does no harm"
        );
        let mut stopped = Decider::new(&mut terms, &[], &Limits::new(Some(Duration::ZERO), None, Arc::default()))
            .expect("nothing to do");
        assert_eq!(stopped.check(&mut terms, &[equal], 1000), Err(Stopped::Timeout));
    }

    #[test]
    fn what_is_read_from_an_array_has_any_value() {
        let mut terms = Terms::new();
        let array = terms.symbol("a", Sort::Array { index: 4, element: 4 });
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(4)));
        let (at_x, at_y) = (terms.select(array, x), terms.select(array, y));
        let (same, differ) = (terms.eq(x, y), terms.ne(at_x, at_y));
        let mut decider = Decider::new(&mut terms, &[], &Limits::none()).expect("not stopped");
        assert_eq!(decider.check(&mut terms, &[same, differ], 1 << 16), Ok(None));
        let less = terms.ult(at_x, at_y);
        let more = terms.ult(at_y, at_x);
        assert_eq!(decider.check(&mut terms, &[less, more], 1 << 16), Ok(Some(Answer::Unsat)));
    }
}
