//! Conjunction, exclusive disjunction, if-then-else and disjointness; negation is free, so they are all connectives.

use super::cache::Op;
use super::{Edge, Kernel};
use crate::Full;

impl Kernel {
    /// `f ∧ g`
    pub fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, Full> {
        if f.is_constant() || f == g {
            return Ok(if f == Edge::FALSE { f } else { g });
        }
        if g.is_constant() {
            return Ok(if g == Edge::TRUE { f } else { g });
        }
        if f == !g {
            return Ok(Edge::FALSE);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(result) = self.cache.get(Op::And, f, g, Edge::TRUE) {
            return Ok(result);
        }
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let high = self.and(f1, g1)?;
        let low = self.and(f0, g0)?;
        // Large parts of a set survive a constraint: their nodes need not be looked up (10 % of a whole check).
        let result = if (high, low) == (f1, f0) {
            f
        } else if (high, low) == (g1, g0) {
            g
        } else {
            self.make(level, high, low)?
        };
        self.cache.put(Op::And, f, g, Edge::TRUE, result);
        Ok(result)
    }

    /// `f ∨ g`
    #[inline]
    pub fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, Full> {
        Ok(!self.and(!f, !g)?)
    }

    /// `f ⊕ g`
    pub fn xor(&mut self, f: Edge, g: Edge) -> Result<Edge, Full> {
        let mark = f.mark() ^ g.mark();
        let (f, g) = (f.regular(), g.regular());
        if f == g {
            return Ok(Edge::FALSE.xor_mark(mark));
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if f.is_constant() {
            // ⊤ ⊕ g
            return Ok(!g.xor_mark(mark));
        }
        if let Some(result) = self.cache.get(Op::Xor, f, g, Edge::TRUE) {
            return Ok(result.xor_mark(mark));
        }
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let high = self.xor(f1, g1)?;
        let low = self.xor(f0, g0)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::Xor, f, g, Edge::TRUE, result);
        Ok(result.xor_mark(mark))
    }

    /// `(f ∧ g) ∨ (¬f ∧ h)`
    pub fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Full> {
        if f.is_constant() {
            return Ok(if f == Edge::TRUE { g } else { h });
        }
        // The condition is regular, and so is the first branch.
        let (f, g, h) = if f.mark() == 1 { (!f, h, g) } else { (f, g, h) };
        if g == h {
            return Ok(g);
        }
        if g.is_constant() || g.regular() == f {
            return if g == Edge::TRUE || g == f { self.or(f, h) } else { self.and(!f, h) };
        }
        if h.is_constant() || h.regular() == f {
            return if h == Edge::FALSE || h == f { self.and(f, g) } else { self.or(!f, g) };
        }
        if g == !h {
            return self.xor(f, h);
        }
        let mark = g.mark();
        let (g, h) = (g.xor_mark(mark), h.xor_mark(mark));
        if let Some(result) = self.cache.get(Op::Ite, f, g, h) {
            return Ok(result.xor_mark(mark));
        }
        let (nf, ng, nh) = (self.node(f), self.node(g), self.node(h));
        let level = nf.level.min(ng.level).min(nh.level);
        let (f1, f0) = Self::split(f, &nf, level);
        let ((g1, g0), (h1, h0)) = (Self::split(g, &ng, level), Self::split(h, &nh, level));
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::Ite, f, g, h, result);
        Ok(result.xor_mark(mark))
    }

    /// Whether `f ∧ g` is empty; builds no node.
    pub fn disjoint(&mut self, f: Edge, g: Edge) -> bool {
        if f == Edge::FALSE || g == Edge::FALSE || f == !g {
            return true;
        }
        if f.is_constant() || g.is_constant() || f == g {
            return false;
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(result) = self.cache.get(Op::Disjoint, f, g, Edge::TRUE) {
            return result == Edge::TRUE;
        }
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let result = self.disjoint(f1, g1) && self.disjoint(f0, g0);
        self.cache.put(Op::Disjoint, f, g, Edge::TRUE, Edge::constant(result));
        result
    }
}
