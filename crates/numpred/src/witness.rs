//! Ways of an abstract program: which steps lead to a place, without joins.
//!
//! A fixpoint joins and widens; the way that it gets to a place by may be none of the abstraction. Here values are followed
//! along single paths, and a value that is below one seen before at its place is not followed again.

use crate::Halt;
use crate::domain::Domain;
use crate::fixpoint::{Links, Of, Place};
use crate::transformer::apply;
use std::collections::VecDeque;

/// The steps, by number, of a shortest way from the entry to a place; nothing if there is none, or if more than so many values
/// would have to be followed.
pub fn witness<D: Domain>(
    domain: &mut D,
    program: &Of<D>,
    start: D::Value,
    target: Place,
    most: usize,
) -> Result<Option<Vec<usize>>, Halt> {
    let Links { outgoing, incoming } = program.links();
    let places = outgoing.len();
    let mut leads = vec![false; places];
    let mut todo = vec![target.0 as usize];
    while let Some(place) = todo.pop() {
        if place < places && !std::mem::replace(&mut leads[place], true) {
            todo.extend(incoming[place].iter().map(|&edge| program.edges[edge].from.0 as usize));
        }
    }
    // A value, and the number of the one before it with the step between them.
    let mut seen: Vec<(usize, D::Value, Option<(usize, usize)>)> = vec![(0, start, None)];
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); places];
    let mut queue = VecDeque::from([0]);
    while let Some(number) = queue.pop_front() {
        let (place, value) = (seen[number].0, seen[number].1.clone());
        for &edge in &outgoing[place] {
            domain.base().limits.look()?;
            let to = program.edges[edge].to.0 as usize;
            if !leads[to] {
                continue;
            }
            let after = apply(domain, &program.edges[edge].transformer, &value)?;
            let after = domain.reduce(&after)?;
            if domain.is_bottom(&after)? {
                continue;
            }
            if to == target.0 as usize {
                let (mut way, mut link) = (vec![edge], seen[number].2);
                while let Some((before, step)) = link {
                    way.push(step);
                    link = seen[before].2;
                }
                way.reverse();
                return Ok(Some(way));
            }
            let mut covered = false;
            for &other in &at[to] {
                covered = covered || domain.leq(&after, &seen[other].1)?;
            }
            if covered {
                continue;
            }
            if seen.len() == most {
                return Ok(None);
            }
            at[to].push(seen.len());
            queue.push_back(seen.len());
            seen.push((to, after, Some((number, edge))));
        }
    }
    Ok(None)
}
