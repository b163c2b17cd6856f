//! Independent parts of a polyhedron.
//!
//! Two variables in one minimal constraint are in one part. As the rows are canonical, so that equations do not relate what is
//! independent, these are the smallest parts there are; and each line and each ray belongs to one of them.

use super::cone::{Cone, Rows};
use super::double::Double;
use super::number::{Form, Number};
use std::collections::BTreeSet;

impl<N: Number> Double<N> {
    /// The parts with their coordinates, without those that can have any value; nothing if there is one part with all.
    pub fn split(&self) -> Option<Vec<(Vec<usize>, Form)>> {
        let dimensions = self.dimensions();
        let mut group: Vec<Option<usize>> = vec![None; dimensions];
        for row in self.constraints.lines.iter().chain(self.constraints.rays.iter()) {
            let mut of_row = (0..dimensions).filter(|&x| row[x + 1].sign().is_ne());
            let Some(first) = of_row.next() else { continue };
            let target = *group[first].get_or_insert(first);
            for x in of_row {
                match group[x] {
                    None => group[x] = Some(target),
                    Some(old) if old == target => {}
                    old => group.iter_mut().filter(|group| **group == old).for_each(|group| *group = Some(target)),
                }
            }
        }
        let names: BTreeSet<usize> = group.iter().flatten().copied().collect();
        if names.len() == 1 && group.iter().all(Option::is_some) {
            return None;
        }
        let part = |name: usize| {
            let places: Vec<usize> = (0..dimensions).filter(|&x| group[x] == Some(name)).collect();
            let form = N::store(self.part(&places));
            (places, form)
        };
        Some(names.into_iter().map(part).collect())
    }

    /// What some coordinates say, which no constraint relates to others.
    fn part(&self, places: &[usize]) -> Self {
        let mentions = |row: &&[N]| places.iter().any(|&x| row[x + 1].sign().is_ne());
        let onto = |row: &[N]| -> Vec<N> {
            std::iter::once(&row[0]).chain(places.iter().map(|&x| &row[x + 1])).cloned().collect()
        };
        let width = places.len() + 1;
        let rows = |rows: &Rows<N>| Rows { width, data: rows.iter().filter(mentions).flat_map(onto).collect() };
        let Self { constraints, generators } = self;
        let mut points: BTreeSet<Vec<N>> = BTreeSet::new();
        let mut rays: Rows<N> = Rows::new(width);
        for ray in generators.rays.iter() {
            if ray[0].sign().is_eq() {
                if mentions(&ray) {
                    rays.push(&onto(ray));
                }
                continue;
            }
            let mut point = Vec::new();
            let pushed = N::push(onto(ray).iter().map(N::wide).collect(), &mut point);
            debug_assert!(pushed.is_ok(), "a division does not overflow");
            points.insert(point);
        }
        points.iter().for_each(|point| rays.push(point));
        Self {
            constraints: Cone { lines: rows(&constraints.lines), rays: rows(&constraints.rays) },
            generators: Cone { lines: rows(&generators.lines), rays },
        }
    }
}
