//! Formulas over the variables of a Boolean program, on their way into its tree.

use robusto_boolprog::ast::{BinaryOp, Expr, File, Node, NodeRef, Tree};
use std::rc::Rc;

/// A formula. Its depth is bounded by the number of predicates of one relation (`relation::MOST`), never by a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// A truth value.
    Const(bool),
    /// A variable before the step.
    Var(Rc<str>),
    /// A variable behind it.
    Next(Rc<str>),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    All(Vec<Formula>),
    /// Disjunction.
    Some(Vec<Formula>),
    /// True if the first, else false if the second, else any.
    Schoose(Box<Formula>, Box<Formula>),
    /// Any value.
    Choice,
}

impl Formula {
    /// A variable, or its negation.
    pub fn literal(self, positive: bool) -> Self {
        match (self, positive) {
            (Formula::Const(value), _) => Formula::Const(value == positive),
            (formula, true) => formula,
            (formula, false) => Formula::Not(Box::new(formula)),
        }
    }

    /// The conjunction.
    pub fn all(members: Vec<Formula>) -> Self {
        Self::chain(members, true)
    }

    /// The disjunction.
    pub fn some(members: Vec<Formula>) -> Self {
        Self::chain(members, false)
    }

    fn chain(mut members: Vec<Formula>, neutral: bool) -> Self {
        members.retain(|member| *member != Formula::Const(neutral));
        if members.contains(&Formula::Const(!neutral)) {
            return Formula::Const(!neutral);
        }
        match members.len() {
            0 => Formula::Const(neutral),
            1 => members.swap_remove(0),
            _ if neutral => Formula::All(members),
            _ => Formula::Some(members),
        }
    }

    /// The set of the valuations of some leaves that disjoint cubes have; `None` stands for both values. Shannon's expansion.
    pub fn of_cubes(cubes: &[&[Option<bool>]], leaves: &[Formula]) -> Self {
        let Some((leaf, rest)) = leaves.split_first() else { return Formula::Const(!cubes.is_empty()) };
        let size = |cube: &&[Option<bool>]| 1u128 << cube.iter().filter(|value| value.is_none()).count();
        match cubes.iter().map(size).sum::<u128>() {
            0 => return Formula::Const(false),
            all if all == 1 << leaves.len() => return Formula::Const(true),
            _ => {}
        }
        let with = |value: bool| -> Vec<&[Option<bool>]> {
            let fits = cubes.iter().filter(|cube| cube[0] != Some(!value));
            fits.map(|cube| &cube[1..]).collect()
        };
        let (low, high) = (with(false), with(true));
        if low == high {
            return Self::of_cubes(&low, rest);
        }
        let (yes, no) = (leaf.clone(), leaf.clone().literal(false));
        let (low, high) = (Self::of_cubes(&low, rest), Self::of_cubes(&high, rest));
        match (&low, &high) {
            _ if low == high => low,
            (Formula::Const(false), _) => Self::all(vec![yes, high]),
            (_, Formula::Const(false)) => Self::all(vec![no, low]),
            (Formula::Const(true), _) => Self::some(vec![no, high]),
            (_, Formula::Const(true)) => Self::some(vec![yes, low]),
            _ => Self::some(vec![Self::all(vec![yes, high]), Self::all(vec![no, low])]),
        }
    }

    /// The formula as an expression of a tree.
    pub fn tree(&self, file: &mut File) -> Tree {
        let first = file.nodes.len() as u32;
        let root = self.node(file);
        Tree { first, root }
    }

    fn node(&self, file: &mut File) -> NodeRef {
        let expr = match self {
            Formula::Const(value) => Expr::Const(*value),
            Formula::Var(name) => Expr::Var((&**name).into()),
            Formula::Next(name) => Expr::Next((&**name).into()),
            Formula::Choice => Expr::Choice,
            Formula::Not(inner) => Expr::Not(inner.node(file)),
            Formula::All(members) => {
                Expr::Chain(BinaryOp::And, members.iter().map(|member| member.node(file)).collect())
            }
            Formula::Some(members) => {
                Expr::Chain(BinaryOp::Or, members.iter().map(|member| member.node(file)).collect())
            }
            Formula::Schoose(one, zero) => {
                let one = one.node(file);
                Expr::Schoose(one, zero.node(file))
            }
        };
        file.nodes.push(Node { expr, span: Default::default() });
        NodeRef(file.nodes.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Formula;

    fn holds(formula: &Formula, values: u32) -> bool {
        match formula {
            Formula::Const(value) => *value,
            Formula::Var(name) => values >> name.parse::<u32>().expect("a number") & 1 == 1,
            Formula::Not(inner) => !holds(inner, values),
            Formula::All(members) => members.iter().all(|member| holds(member, values)),
            Formula::Some(members) => members.iter().any(|member| holds(member, values)),
            Formula::Next(_) | Formula::Schoose(..) | Formula::Choice => unreachable!("not made here"),
        }
    }

    #[test]
    fn all_sets_over_three_leaves() {
        let leaves: Vec<Formula> = (0..3).map(|i: u32| Formula::Var(i.to_string().into())).collect();
        for set in 0..256u32 {
            let cubes: Vec<Vec<Option<bool>>> = (0..8u32)
                .filter(|valuation| set >> valuation & 1 == 1)
                .map(|valuation| (0..3).map(|i| Some(valuation >> i & 1 == 1)).collect())
                .collect();
            let cubes: Vec<&[Option<bool>]> = cubes.iter().map(Vec::as_slice).collect();
            let formula = Formula::of_cubes(&cubes, &leaves);
            for values in 0..8 {
                assert_eq!(holds(&formula, values), set >> values & 1 == 1, "set {set:b}, valuation {values:b}");
            }
        }
    }

    #[test]
    fn a_cube_with_both_values() {
        let leaves: Vec<Formula> = (0..2).map(|i: u32| Formula::Var(i.to_string().into())).collect();
        let formula = Formula::of_cubes(&[&[None, Some(true)]], &leaves);
        assert_eq!(formula, leaves[1]);
    }
}
