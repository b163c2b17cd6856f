//! Quantification and its combinations with conjunction: the relational product and the image of an assignment.

use super::cache::Op;
use super::{Edge, Kernel, Level};
use crate::Full;

impl Kernel {
    /// The part of a cube of positive literals at `level` and below.
    #[inline]
    pub(super) fn cube_from(&self, mut cube: Edge, level: Level) -> Edge {
        loop {
            let node = self.node(cube);
            if node.level >= level {
                return cube;
            }
            cube = node.high;
        }
    }

    /// `∃ cube. f`
    pub fn exists(&mut self, f: Edge, cube: Edge) -> Result<Edge, Full> {
        if f.is_constant() {
            return Ok(f);
        }
        let node = self.node(f);
        let cube = self.cube_from(cube, node.level);
        if cube.is_constant() {
            return Ok(f);
        }
        if let Some(result) = self.cache.get(Op::Exists, f, cube, Edge::TRUE) {
            return Ok(result);
        }
        let (f1, f0) = Self::split(f, &node, node.level);
        let bound = self.node(cube);
        let result = if bound.level == node.level {
            let high = self.exists(f1, bound.high)?;
            if high == Edge::TRUE || high == f0 {
                high
            } else {
                let low = self.exists(f0, bound.high)?;
                self.or(high, low)?
            }
        } else {
            let high = self.exists(f1, cube)?;
            let low = self.exists(f0, cube)?;
            if (high, low) == (f1, f0) { f } else { self.make(node.level, high, low)? }
        };
        self.cache.put(Op::Exists, f, cube, Edge::TRUE, result);
        Ok(result)
    }

    /// `∃ cube. f ∧ g`
    pub fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Result<Edge, Full> {
        if f == Edge::FALSE || g == Edge::FALSE || f == !g {
            return Ok(Edge::FALSE);
        }
        if f == Edge::TRUE || f == g {
            return self.exists(g, cube);
        }
        if g == Edge::TRUE {
            return self.exists(f, cube);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        let cube = self.cube_from(cube, level);
        if cube.is_constant() {
            return self.and(f, g);
        }
        if let Some(result) = self.cache.get(Op::AndExists, f, g, cube) {
            return Ok(result);
        }
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let bound = self.node(cube);
        let result = if bound.level == level {
            let high = self.and_exists(f1, g1, bound.high)?;
            if high == Edge::TRUE || high == f0 || high == g0 {
                high
            } else {
                let low = self.and_exists(f0, g0, bound.high)?;
                self.or(high, low)?
            }
        } else {
            let high = self.and_exists(f1, g1, cube)?;
            let low = self.and_exists(f0, g0, cube)?;
            self.make(level, high, low)?
        };
        self.cache.put(Op::AndExists, f, g, cube, result);
        Ok(result)
    }

    /// `(∃ cube. f) ∧ g` in one pass over the part of `f` above the cube instead of two.
    pub fn exists_and(&mut self, f: Edge, cube: Edge, g: Edge) -> Result<Edge, Full> {
        if f.is_constant() || g == Edge::FALSE {
            return self.and(f, g);
        }
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        if nf.level >= self.level(cube) {
            let rest = self.exists(f, cube)?;
            return self.and(rest, g);
        }
        if let Some(result) = self.cache.get(Op::ExistsAnd, f, g, cube) {
            return Ok(result);
        }
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let high = self.exists_and(f1, cube, g1)?;
        let low = self.exists_and(f0, cube, g0)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::ExistsAnd, f, g, cube, result);
        Ok(result)
    }
}
