//! Operations on multi-terminal diagrams: functions into the numbers that a user gives to terminals.
//!
//! After R. I. Bahar et al., "Algebraic decision diagrams and their applications" (ICCAD 1993). They share nodes, unique
//! tables, cache and order with the Boolean functions: a terminal is a node of its own without branches, and no edge to it or above it
//! has a complement mark. So garbage collection and changes of the order need not know about them.

use super::cache::Op;
use super::{Edge, Kernel, Level, Node, TERMINAL};
use crate::Full;

/// What is known of an operation on terminals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Tells operations apart in the cache.
    pub number: u32,
    pub commutative: bool,
    pub idempotent: bool,
    pub neutral: Option<u32>,
    pub absorbing: Option<u32>,
}

impl Kernel {
    /// The constant function of a value.
    pub fn terminal(&mut self, value: u32) -> Result<Edge, Full> {
        if let Some(place) = self.terminals.get(&value) {
            return Ok(Edge(place << 1));
        }
        if self.used >= self.cap {
            return Err(Full);
        }
        // Terminals are in no chain.
        let place = self.allocate(Node { level: TERMINAL, high: Edge::TRUE, low: Edge::TRUE, next: value })?;
        self.terminals.insert(value, place);
        Ok(Edge(place << 1))
    }

    /// The values that have a terminal, garbage included, ascending.
    pub fn terminals(&self) -> Vec<u32> {
        let mut values: Vec<u32> = self.terminals.keys().copied().collect();
        values.sort_unstable();
        values
    }

    /// The value of a terminal.
    #[inline]
    pub fn value(&self, f: Edge) -> Option<u32> {
        let node = self.node(f);
        (node.level == TERMINAL).then_some(node.next)
    }

    /// The operation on the values of both functions, point by point.
    pub fn multi_apply(
        &mut self,
        shape: &Shape,
        f: Edge,
        g: Edge,
        combine: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Result<Edge, Full> {
        if shape.idempotent && f == g {
            return Ok(f);
        }
        let (a, b) = (self.value(f), self.value(g));
        if a.is_some() && a == shape.neutral || b.is_some() && b == shape.absorbing {
            return Ok(g);
        }
        if b.is_some() && b == shape.neutral || a.is_some() && a == shape.absorbing {
            return Ok(f);
        }
        if let (Some(a), Some(b)) = (a, b) {
            return self.terminal(combine(a, b));
        }
        let (f, g) = if shape.commutative && g < f { (g, f) } else { (f, g) };
        let number = Edge(shape.number);
        if let Some(result) = self.cache.get(Op::MultiApply, f, g, number) {
            return Ok(result);
        }
        let (nf, ng) = (self.node(f), self.node(g));
        let level = nf.level.min(ng.level);
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let high = self.multi_apply(shape, f1, g1, combine)?;
        let low = self.multi_apply(shape, f0, g0, combine)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::MultiApply, f, g, number, result);
        Ok(result)
    }

    /// `f` where the Boolean function holds, elsewhere `g`.
    pub fn multi_ite(&mut self, condition: Edge, f: Edge, g: Edge) -> Result<Edge, Full> {
        if condition.is_constant() || f == g {
            return Ok(if condition == Edge::TRUE { f } else { g });
        }
        let (condition, f, g) = if condition.mark() == 1 { (!condition, g, f) } else { (condition, f, g) };
        if let Some(result) = self.cache.get(Op::MultiIte, condition, f, g) {
            return Ok(result);
        }
        let (nc, nf, ng) = (self.node(condition), self.node(f), self.node(g));
        let level = nc.level.min(nf.level).min(ng.level);
        let (c1, c0) = Self::split(condition, &nc, level);
        let ((f1, f0), (g1, g0)) = (Self::split(f, &nf, level), Self::split(g, &ng, level));
        let high = self.multi_ite(c1, f1, g1)?;
        let low = self.multi_ite(c0, f0, g0)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::MultiIte, condition, f, g, result);
        Ok(result)
    }

    /// The values of `f` under both values of each variable of the cube, combined.
    pub fn multi_exists(
        &mut self,
        shape: &Shape,
        f: Edge,
        cube: Edge,
        combine: &mut dyn FnMut(u32, u32) -> u32,
    ) -> Result<Edge, Full> {
        let node = self.node(f);
        let cube = if shape.idempotent { self.cube_from(cube, node.level) } else { cube };
        if cube.is_constant() {
            return Ok(f);
        }
        let number = Edge(shape.number);
        if let Some(result) = self.cache.get(Op::MultiExists, f, cube, number) {
            return Ok(result);
        }
        let bound = self.node(cube);
        let level = node.level.min(bound.level);
        let rest = if bound.level == level { bound.high } else { cube };
        let (f1, f0) = Self::split(f, &node, level);
        let high = self.multi_exists(shape, f1, rest, combine)?;
        let low = self.multi_exists(shape, f0, rest, combine)?;
        let result = if bound.level == level {
            self.multi_apply(shape, high, low, combine)?
        } else {
            self.make(level, high, low)?
        };
        self.cache.put(Op::MultiExists, f, cube, number, result);
        Ok(result)
    }

    /// The function with each value replaced.
    pub fn multi_map(&mut self, number: u32, f: Edge, change: &mut dyn FnMut(u32) -> u32) -> Result<Edge, Full> {
        self.multi_rebuild(Op::MultiMap, number, f, &mut |kernel, value| kernel.terminal(change(value)))
    }

    /// The Boolean function that the value passes a test.
    pub fn multi_test(&mut self, number: u32, f: Edge, test: &mut dyn FnMut(u32) -> bool) -> Result<Edge, Full> {
        self.multi_rebuild(Op::MultiTest, number, f, &mut |_, value| Ok(Edge::constant(test(value))))
    }

    /// The function with each terminal replaced.
    fn multi_rebuild(
        &mut self,
        op: Op,
        number: u32,
        f: Edge,
        change: &mut dyn FnMut(&mut Self, u32) -> Result<Edge, Full>,
    ) -> Result<Edge, Full> {
        let node = self.node(f);
        if node.level == TERMINAL {
            return change(self, node.next);
        }
        if let Some(result) = self.cache.get(op, f, Edge::TRUE, Edge(number)) {
            return Ok(result);
        }
        let high = self.multi_rebuild(op, number, node.high, change)?;
        let low = self.multi_rebuild(op, number, node.low, change)?;
        let result = self.make(node.level, high, low)?;
        self.cache.put(op, f, Edge::TRUE, Edge(number), result);
        Ok(result)
    }

    /// `f` with each level replaced by its new one; levels beyond `levels` stay.
    pub fn multi_rename(&mut self, f: Edge, levels: &[Level], number: u32) -> Result<Edge, Full> {
        self.rename_by(f, levels, number, Self::multi_ite)
    }
}
