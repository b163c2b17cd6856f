//! From a location that has been reached back to the start.
//!
//! Each firing is written down with the states it was fired with and the states it added. A state was added by the first firing
//! that has it among its own, and has a predecessor among the states that this was fired with, which was added earlier. So the
//! walk ends, whatever the order of firings was. Where all blocks fire together, firings are onion rings.

use crate::exits::Exits;
use crate::space::full;
use robusto_diagram::Bdd;
use robusto_limits::{Limits, Stopped};

/// A path through the model: locations, each with the number of the exit that is taken from it.
pub type Trace = Vec<(usize, usize)>;

/// All firings. All sets have the location in the counter.
#[derive(Default)]
pub(crate) struct Log {
    start: Option<Bdd>,
    firings: Vec<Firing>,
}

struct Firing {
    /// What was fired: a number that the caller knows.
    part: usize,
    from: Bdd,
    /// What was new, each with the only location that it is about, if there is only one.
    added: Vec<(Option<usize>, Bdd)>,
}

impl Log {
    pub fn start(&mut self, set: Bdd) {
        self.start = Some(set);
    }

    pub fn fire(&mut self, part: usize, from: Bdd) {
        self.firings.push(Firing { part, from, added: Vec::new() });
    }

    /// The last firing has added states, all of them at one location if one is given.
    pub fn add(&mut self, location: Option<usize>, set: Bdd) {
        if let Some(last) = self.firings.last_mut() {
            last.added.push((location, set));
        }
    }

    /// The same with sets of another store: given the part that was fired with a set, or the location that a set is about.
    pub fn copied(
        &self,
        fired: impl Fn(usize, &Bdd) -> Result<Bdd, Stopped>,
        added: impl Fn(usize, &Bdd) -> Result<Bdd, Stopped>,
    ) -> Result<Self, Stopped> {
        let mut log = Self { start: self.start.clone(), firings: Vec::new() };
        for firing in &self.firings {
            log.fire(firing.part, fired(firing.part, &firing.from)?);
            for (only, set) in &firing.added {
                let set = only.map_or_else(|| Ok(set.clone()), |location| added(location, set))?;
                log.add(*only, set);
            }
        }
        Ok(log)
    }

    /// By firing, what it added.
    #[cfg(test)]
    pub fn added(&self) -> impl Iterator<Item = &[(Option<usize>, Bdd)]> {
        self.firings.iter().map(|firing| firing.added.as_slice())
    }

    /// The way from the start to a location, given the locations of each part.
    pub fn walk<'l>(
        &self,
        exits: &Exits<'_>,
        locations: impl Fn(usize) -> &'l [usize],
        location: usize,
        limits: &Limits,
    ) -> Result<Trace, Stopped> {
        self.walk_to(exits, locations, location, exits.code(location).clone(), limits)
    }

    /// The way from the start to some of the states that have been reached at a location.
    pub fn walk_to<'l>(
        &self,
        exits: &Exits<'_>,
        locations: impl Fn(usize) -> &'l [usize],
        location: usize,
        states: Bdd,
        limits: &Limits,
    ) -> Result<Trace, Stopped> {
        let diagrams = &exits.space.diagrams;
        let mut trace = Trace::new();
        // What the state must satisfy.
        let (mut at, mut wanted) = (location, states);
        let mut before = self.firings.len();
        while !(at == 0 && self.start.as_ref().is_some_and(|start| !diagrams.disjoint(start, &wanted))) {
            limits.look()?;
            let found = self.firings[..before].iter().enumerate().find_map(|(number, firing)| {
                let is_it = |(only, set): &&(Option<usize>, Bdd)| {
                    only.is_none_or(|only| only == at) && !diagrams.disjoint(set, &wanted)
                };
                Some((number, firing, &firing.added.iter().find(is_it)?.1))
            });
            let Some((number, firing, added)) = found else {
                unreachable!("what has been reached was added by a firing, or is a state of the start");
            };
            let meant = diagrams.and(added, &wanted).map_err(full)?;
            let found = exits.predecessor(locations(firing.part), &firing.from, at, &meant, limits)?;
            let (from, exit, states) =
                found.expect("states that a firing has added have predecessors among those it was fired with");
            trace.push((from, exit));
            (at, wanted, before) = (from, states, number);
        }
        trace.reverse();
        Ok(trace)
    }
}
