//! Abstract programs, and their invariants.
//!
//! A value per place is propagated in reverse post-order until nothing changes, with widening at the heads of loops, and then
//! improved by some descending passes. Soundness of these: what holds at the end of each step into a place, of values that hold,
//! holds there, whether or not the operations are monotone.

use crate::Halt;
use crate::domain::Domain;
use crate::transformer::{self, Transformer, apply};
use std::collections::BTreeSet;
use std::time::Instant;

/// A place of an abstract program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(pub u32);

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge<T, S> {
    /// Where it begins.
    pub from: Place,
    /// Where it leads.
    pub to: Place,
    /// What happens.
    pub transformer: Transformer<T, S>,
}

/// A graph of transformers. Place 0 is the entry.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program<T, S> {
    /// The steps.
    pub edges: Vec<Edge<T, S>>,
}

/// By place, the numbers of the steps that leave it, and of those that lead to it.
pub(crate) struct Links {
    pub outgoing: Vec<Vec<usize>>,
    pub incoming: Vec<Vec<usize>>,
}

impl<T, S> Program<T, S> {
    /// The steps by their places.
    pub(crate) fn links(&self) -> Links {
        let ends = self.edges.iter().flat_map(|edge| [edge.from.0, edge.to.0]);
        let places = ends.max().map_or(1, |last| last as usize + 1);
        let [mut outgoing, mut incoming] = [0, 1].map(|_| vec![Vec::new(); places]);
        for (i, edge) in self.edges.iter().enumerate() {
            outgoing[edge.from.0 as usize].push(i);
            incoming[edge.to.0 as usize].push(i);
        }
        Links { outgoing, incoming }
    }
}

/// How a fixpoint is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// After so many joins at a head of a loop values are widened there; never, if there is no number.
    pub widening: Option<u32>,
    /// So many passes improve the result.
    pub descending: u32,
    /// Whether predicates and numbers tell each other what they know, after each step.
    pub reduce: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { widening: Some(2), descending: 2, reduce: true }
    }
}

/// The programs of a data structure.
pub type Of<D> =
    Program<<<D as Domain>::Numbers as crate::Numbers>::Term, <<D as Domain>::Numbers as crate::Numbers>::Statement>;

/// A value for each place that holds whenever an execution that starts with `start` at the entry gets there.
pub fn run<D: Domain>(
    domain: &mut D,
    program: &Of<D>,
    start: D::Value,
    options: &Options,
) -> Result<Vec<D::Value>, Halt> {
    let shape = Shape::of(program);
    let bottom = domain.bottom()?;
    let mut values = vec![bottom; shape.rank.len()];
    values[0] = start.clone();
    let mut joins = vec![0u32; values.len()];
    let mut widened = false;
    let mut waiting: BTreeSet<(usize, usize)> = BTreeSet::from([(shape.rank[0], 0)]);
    while let Some((_, from)) = waiting.pop_first() {
        for &edge in &shape.outgoing[from] {
            domain.base().limits.look()?;
            let to = program.edges[edge].to.0 as usize;
            let incoming = follow(domain, program, edge, &values[from], options)?;
            if domain.is_bottom(&incoming)? || domain.leq(&incoming, &values[to])? {
                continue;
            }
            let widen = shape.heads[to] && options.widening.is_some_and(|most| joins[to] >= most);
            joins[to] += 1;
            widened |= widen;
            let new = if widen {
                let started = Instant::now();
                let new = domain.widen(&values[to], &incoming)?;
                domain.base().pool.counters.join.add(started);
                new
            } else {
                // Where all of the old value is in the new one, the union is the new one: as a diagram over terms it would grow with
                // each round. (Template 8(a) with NDD and machine integers, no widening, C = 400: 2.4 s with the union.)
                let is_above = domain.leq(&values[to], &incoming)?;
                let joined = if is_above { incoming } else { transformer::join(domain, &values[to], &incoming)? };
                if shape.heads[to] { domain.compact(&joined)? } else { joined }
            };
            if new != values[to] {
                values[to] = new;
                waiting.insert((shape.rank[to], to));
            }
        }
    }
    if widened {
        for _ in 0..options.descending {
            if !descend(domain, program, &shape, &start, &mut values, options)? {
                break;
            }
        }
    }
    Ok(values)
}

fn follow<D: Domain>(
    domain: &mut D,
    program: &Of<D>,
    edge: usize,
    value: &D::Value,
    options: &Options,
) -> Result<D::Value, Halt> {
    let after = apply(domain, &program.edges[edge].transformer, value)?;
    if options.reduce { domain.reduce(&after) } else { Ok(after) }
}

/// One pass in reverse post-order; whether something became smaller.
fn descend<D: Domain>(
    domain: &mut D,
    program: &Of<D>,
    shape: &Shape,
    start: &D::Value,
    values: &mut [D::Value],
    options: &Options,
) -> Result<bool, Halt> {
    let mut changed = false;
    for &place in &shape.order {
        let mut new = if place == 0 { start.clone() } else { domain.bottom()? };
        for &edge in &shape.incoming[place] {
            domain.base().limits.look()?;
            let from = program.edges[edge].from.0 as usize;
            let incoming = follow(domain, program, edge, &values[from].clone(), options)?;
            new = transformer::join(domain, &new, &incoming)?;
        }
        if shape.heads[place] {
            new = domain.compact(&new)?;
        }
        if new != values[place] && domain.leq(&new, &values[place])? {
            values[place] = new;
            changed = true;
        }
    }
    Ok(changed)
}

/// What the graph looks like.
struct Shape {
    outgoing: Vec<Vec<usize>>,
    incoming: Vec<Vec<usize>>,
    /// Places that an edge leads back to.
    heads: Vec<bool>,
    /// Reachable places in reverse post-order.
    order: Vec<usize>,
    /// The position in the order.
    rank: Vec<usize>,
}

impl Shape {
    fn of<T, S>(program: &Program<T, S>) -> Self {
        let Links { outgoing, incoming } = program.links();
        let places = outgoing.len();
        let mut heads = vec![false; places];
        let (mut entered, mut left) = (vec![false; places], vec![false; places]);
        let mut order = Vec::new();
        let mut stack = vec![(0usize, 0usize)];
        entered[0] = true;
        while let Some((place, next)) = stack.last_mut() {
            match outgoing[*place].get(*next) {
                Some(&edge) => {
                    *next += 1;
                    let to = program.edges[edge].to.0 as usize;
                    heads[to] |= entered[to] && !left[to];
                    if !entered[to] {
                        entered[to] = true;
                        stack.push((to, 0));
                    }
                }
                None => {
                    left[*place] = true;
                    order.push(*place);
                    stack.pop();
                }
            }
        }
        order.reverse();
        let mut rank = vec![usize::MAX; places];
        order.iter().enumerate().for_each(|(position, &place)| rank[place] = position);
        Self { outgoing, incoming, heads, order, rank }
    }
}
