//! Which variables are copies of each other: those stand together in the order.
//!
//! A parameter is a copy of what is passed for it, a target of a result, `x := y` makes x one of y. In a set of states with
//! `x = y` the number of nodes doubles with each such pair that lies across a level. Each variable is put behind the first
//! one, in the order of the text, that it is copied from or to; the rest is the order of the text, and sifting. A global that
//! is exchanged with many others cannot stand beside all of them, and stays where it is.
//! (200 globals and parameters, saved by recursion: 0.03 s; with the order of the text, more than 15 s without sifting and 3 s
//! with it.)

use super::encoding::Encoding;
use crate::program::{Formula, Op, ProcId, Program, Term, VarId};
use std::collections::BTreeSet;

/// Globals with more partners than a register that is shifted has stay where they are: a token that 100 random exchanges move
/// between 100 globals takes 0.1 s in the order of the text, and more than 5 s in the order of the exchanges.
const MOST_PARTNERS: usize = 2;

/// The numbers of the variables, in the order to start with.
pub(super) fn arrangement(program: &Program, encoding: &Encoding<'_>) -> Vec<u32> {
    let count = encoding.count() as usize;
    let mut parent: Vec<Option<u32>> = vec![None; count];
    let pairs = copies(program, encoding);
    let mut partners: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for &(one, other) in &pairs {
        partners[one as usize].insert(other);
        partners[other as usize].insert(one);
    }
    for (one, other) in pairs {
        let (first, later) = (one.min(other), one.max(other));
        if (later as usize) < program.globals.len()
            && [one, other].iter().any(|&var| partners[var as usize].len() > MOST_PARTNERS)
        {
            continue;
        }
        let mut roots = std::iter::successors(Some(first), |&var| parent[var as usize]);
        if parent[later as usize].is_none() && roots.all(|root| root != later) {
            parent[later as usize] = Some(first);
        }
    }
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
    for var in (0..count as u32).rev() {
        if let Some(first) = parent[var as usize] {
            children[first as usize].push(var);
        }
    }
    let mut order = Vec::with_capacity(count);
    for root in (0..count as u32).filter(|&var| parent[var as usize].is_none()) {
        let mut stack = vec![root];
        while let Some(var) = stack.pop() {
            order.push(var);
            stack.extend(&children[var as usize]);
        }
    }
    order
}

/// Pairs of variables of which one is copied to the other.
fn copies(program: &Program, encoding: &Encoding<'_>) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut add = |to: (ProcId, VarId), from: ProcId, value: &Formula| {
        if let [Term::Var(var)] = *value.0 {
            pairs.push((encoding.number(to.0, to.1), encoding.number(from, var)));
        }
    };
    for (id, procedure) in program.numbered() {
        for edge in &procedure.edges {
            match &edge.op {
                Op::Skip | Op::Assume(_) => {}
                Op::Assign { targets, values, .. } => {
                    targets.iter().zip(values).for_each(|(&target, value)| add((id, target), id, value));
                }
                Op::Return(values) => {
                    let results = values.iter().enumerate();
                    results.for_each(|(i, value)| add((id, program.result(id, i)), id, value));
                }
                Op::Call { callee, args, targets } => {
                    args.iter().enumerate().for_each(|(i, arg)| add((*callee, program.formal(i)), id, arg));
                    for (i, target) in targets.iter().enumerate() {
                        if let Some(target) = target {
                            let result = Formula([Term::Var(program.result(*callee, i))].into());
                            add((id, *target), *callee, &result);
                        }
                    }
                }
            }
        }
    }
    pairs
}
