//! The constructor of ifs.

use super::{Node, Sort, Term, Terms};

impl Terms {
    /// `yes` where the condition holds, `no` elsewhere.
    pub fn ite(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        debug_assert_eq!(self.sort(cond), Sort::BOOL);
        debug_assert_eq!(self.sort(yes), self.sort(no));
        if yes == no || self.is_true(cond) {
            return yes;
        }
        if self.is_false(cond) {
            return no;
        }
        if let Node::Not(inner) = self.node(cond) {
            return self.ite(inner, no, yes);
        }
        // What a branch says under the same condition.
        let yes = match self.node(yes) {
            Node::Ite(c, x, _) if c == cond => x,
            _ => yes,
        };
        let no = match self.node(no) {
            Node::Ite(c, _, y) if c == cond => y,
            _ => no,
        };
        if yes == no {
            return yes;
        }
        match self.sort(yes) {
            Sort::BOOL => {
                if let Some(simple) = self.ite_of_truths(cond, yes, no) {
                    return simple;
                }
            }
            Sort::Bits(width) => match (self.as_const(yes), self.as_const(no)) {
                (Some(1), Some(0)) => return self.zext(cond, width),
                (Some(0), Some(1)) => {
                    let not = self.not(cond);
                    return self.zext(not, width);
                }
                _ => {}
            },
            Sort::Array { .. } => {
                if let Some(simple) = self.ite_of_arrays(cond, yes, no) {
                    return simple;
                }
            }
        }
        match (self.node(yes), self.node(no)) {
            (Node::Ite(c, x, y), _) if y == no => {
                let both = self.and(cond, c);
                return self.ite_plain(both, x, no);
            }
            (Node::Ite(c, x, y), _) if x == no => {
                let not = self.not(c);
                let both = self.and(cond, not);
                return self.ite_plain(both, y, no);
            }
            (_, Node::Ite(c, x, y)) if x == yes => {
                let either = self.or(cond, c);
                return self.ite_plain(either, yes, y);
            }
            (_, Node::Ite(c, x, y)) if y == yes => {
                let not = self.not(c);
                let either = self.or(cond, not);
                return self.ite_plain(either, yes, x);
            }
            _ => {}
        }
        self.intern(Node::Ite(cond, yes, no))
    }

    /// An if without another look into the branches.
    fn ite_plain(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        if yes == no || self.is_true(cond) {
            return yes;
        }
        if self.is_false(cond) {
            return no;
        }
        if let Node::Not(inner) = self.node(cond) {
            return self.ite_plain(inner, no, yes);
        }
        if self.as_const(yes).is_some() && self.as_const(no).is_some() {
            return self.ite(cond, yes, no);
        }
        self.intern(Node::Ite(cond, yes, no))
    }

    fn ite_of_truths(&mut self, cond: Term, yes: Term, no: Term) -> Option<Term> {
        if self.is_true(yes) || cond == yes {
            return Some(self.or(cond, no));
        }
        if self.is_false(no) || cond == no {
            return Some(self.and(cond, yes));
        }
        if self.is_false(yes) || self.are_complements(cond, yes) {
            let not = self.not(cond);
            return Some(self.and(not, no));
        }
        if self.is_true(no) || self.are_complements(cond, no) {
            let not = self.not(cond);
            return Some(self.or(not, yes));
        }
        if self.are_complements(yes, no) {
            return Some(self.eq(cond, yes));
        }
        None
    }

    /// Two arrays that differ in one store: the if moves to the element.
    fn ite_of_arrays(&mut self, cond: Term, yes: Term, no: Term) -> Option<Term> {
        match (self.node(yes), self.node(no)) {
            (Node::Store(a, i, v), Node::Store(b, j, w)) if a == b && i == j => {
                let value = self.ite(cond, v, w);
                Some(self.store(a, i, value))
            }
            (Node::Store(a, i, v), _) if a == no => {
                let old = self.select(a, i);
                let value = self.ite(cond, v, old);
                Some(self.store(a, i, value))
            }
            (_, Node::Store(a, i, v)) if a == yes => {
                let old = self.select(a, i);
                let value = self.ite(cond, old, v);
                Some(self.store(a, i, value))
            }
            _ => None,
        }
    }
}
