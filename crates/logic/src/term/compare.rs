//! Constructors of the comparisons.
//!
//! Every bound on a term has one form, `x < k` or its negation, so that equal predicates are equal terms.

use super::BinaryOp::{Add, Eq, Mul, SLt, Sub, ULt, Xor};
use super::{BinaryOp, Node, Term, Terms, fold};

/// How many nested ifs a comparison with a constant looks through.
const CHAIN: usize = 32;

impl Terms {
    /// Equality of bit-vectors; on width 1, equivalence.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        match self.bounded(|terms| terms.eq_rules(a, b)) {
            Some(result) => result,
            None => self.intern_eq(a, b),
        }
    }

    fn eq_rules(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = match self.fold_binary(Eq, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        if a == b {
            return self.yes();
        }
        let width = self.width(a);
        if width == 1 {
            return self.iff(a, b);
        }
        if let Some(k) = self.as_const(b) {
            return self.eq_const(a, k);
        }
        let (x, c) = self.offset(a);
        let (y, d) = self.offset(b);
        let (Some(x), Some(y)) = (x, y) else { unreachable!("constants were handled") };
        if x == y {
            return self.truth(c == d);
        }
        let (a, b) = if c == d { (x, y) } else { (a, b) };
        match (self.node(a), self.node(b)) {
            _ if self.are_complements(a, b) => return self.no(),
            (Node::Not(p), Node::Not(q)) | (Node::Neg(p), Node::Neg(q)) => return self.eq(p, q),
            (Node::ZExt(p, _), Node::ZExt(q, _)) | (Node::SExt(p, _), Node::SExt(q, _))
                if self.width(p) == self.width(q) =>
            {
                return self.eq(p, q);
            }
            (Node::Binary(Add, p, q), _) if p == b || q == b => {
                let zero = self.constant(width, 0);
                return self.eq(if p == b { q } else { p }, zero);
            }
            (_, Node::Binary(Add, p, q)) if p == a || q == a => {
                let zero = self.constant(width, 0);
                return self.eq(if p == a { q } else { p }, zero);
            }
            (Node::Binary(Sub, p, q), _) if p == b => {
                let zero = self.constant(width, 0);
                return self.eq(q, zero);
            }
            (_, Node::Binary(Sub, p, q)) if p == a => {
                let zero = self.constant(width, 0);
                return self.eq(q, zero);
            }
            (Node::Binary(f, p, q), Node::Binary(g, r, s)) if f == g && matches!(f, Add | Xor) => {
                for (p, q, r, s) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
                    if p == r && self.as_const(p).is_none() {
                        return self.eq(q, s);
                    }
                }
            }
            (Node::Binary(Sub, p, q), Node::Binary(Sub, r, s)) if p == r => return self.eq(q, s),
            (Node::Binary(Sub, p, q), Node::Binary(Sub, r, s)) if q == s => return self.eq(p, r),
            (Node::Ite(cond, p, q), _) if p == b => {
                let rest = self.intern_eq(q, b);
                return self.or(cond, rest);
            }
            (Node::Ite(cond, p, q), _) if q == b => {
                let rest = self.intern_eq(p, b);
                let not = self.not(cond);
                return self.or(not, rest);
            }
            (_, Node::Ite(cond, p, q)) if p == a => {
                let rest = self.intern_eq(q, a);
                return self.or(cond, rest);
            }
            (_, Node::Ite(cond, p, q)) if q == a => {
                let rest = self.intern_eq(p, a);
                let not = self.not(cond);
                return self.or(not, rest);
            }
            _ => {}
        }
        if c != d {
            // All of the constant to the side of the larger number.
            let (x, y, k) = if x < y { (x, y, d.wrapping_sub(c)) } else { (y, x, c.wrapping_sub(d)) };
            let k = self.constant(width, k);
            let rhs = self.add(y, k);
            return self.intern_eq(x, rhs);
        }
        self.intern_eq(a, b)
    }

    /// An equality that is not simplified further than by its constants.
    fn intern_eq(&mut self, a: Term, b: Term) -> Term {
        match self.fold_binary(Eq, a, b) {
            Ok(done) => done,
            Err((a, b)) if a == b => self.yes(),
            Err((a, b)) => self.intern(Node::Binary(Eq, a, b)),
        }
    }

    /// Inequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    fn iff(&mut self, a: Term, b: Term) -> Term {
        match self.as_const(b) {
            Some(0) => return self.not(a),
            Some(_) => return a,
            None => {}
        }
        if self.are_complements(a, b) {
            return self.no();
        }
        let (a, minus) = self.unsigned_literal(a);
        let (b, also) = self.unsigned_literal(b);
        let (a, b) = if a > b { (b, a) } else { (a, b) };
        let same = self.intern(Node::Binary(Eq, a, b));
        if minus == also { same } else { self.not(same) }
    }

    fn unsigned_literal(&self, t: Term) -> (Term, bool) {
        match self.node(t) {
            Node::Not(x) => (x, true),
            _ => (t, false),
        }
    }

    /// `a == k` at more than one bit. Walks down a chain of ifs with constant branches, which is what a variable looks
    /// like after several branches have assigned to it.
    fn eq_const(&mut self, mut a: Term, k: u128) -> Term {
        let mut chain = Vec::new();
        while let Node::Ite(cond, x, y) = self.node(a)
            && chain.len() < CHAIN
        {
            match (self.as_const(x), self.as_const(y)) {
                (Some(x), _) => {
                    chain.push((cond, true, x == k));
                    a = y;
                }
                (None, Some(y)) => {
                    chain.push((cond, false, y == k));
                    a = x;
                }
                (None, None) => break,
            }
        }
        let mut result = match self.as_const(a) {
            Some(value) => self.truth(value == k),
            None => self.eq_const_step(a, k),
        };
        for (cond, positive, hit) in chain.into_iter().rev() {
            // The branch with the constant is taken where `cond` is `positive`.
            result = match (positive, hit) {
                (true, true) => self.or(cond, result),
                (false, false) => self.and(cond, result),
                (true, false) => {
                    let not = self.not(cond);
                    self.and(not, result)
                }
                (false, true) => {
                    let not = self.not(cond);
                    self.or(not, result)
                }
            };
        }
        result
    }

    fn eq_const_step(&mut self, a: Term, k: u128) -> Term {
        let width = self.width(a);
        let constant = self.constant(width, k);
        match self.node(a) {
            Node::Binary(Add, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let k = self.constant(width, k.wrapping_sub(c));
                    return self.eq(x, k);
                }
            }
            Node::Binary(Sub, x, y) if k == 0 => return self.eq(x, y),
            Node::Binary(Xor, x, y) if k == 0 => return self.eq(x, y),
            Node::Binary(Xor, x, c) => {
                if let Some(c) = self.as_const(c) {
                    let k = self.constant(width, k ^ c);
                    return self.eq(x, k);
                }
            }
            Node::Binary(Mul, x, c) => {
                if let Some(c) = self.as_const(c)
                    && c % 2 == 1
                {
                    let k = self.constant(width, k.wrapping_mul(inverse(c)));
                    return self.eq(x, k);
                }
            }
            Node::Binary(BinaryOp::Shl, x, by) => {
                if let Some(by) = self.as_const(by) {
                    let by = by as u16;
                    if fold::mask(by, k) != 0 {
                        return self.no();
                    }
                    let low = self.extract(x, 0, width - by);
                    let k = self.constant(width - by, k >> by);
                    return self.eq(low, k);
                }
            }
            Node::Not(x) => {
                let k = self.constant(width, !k);
                return self.eq(x, k);
            }
            Node::Neg(x) => {
                let k = self.constant(width, k.wrapping_neg());
                return self.eq(x, k);
            }
            Node::ZExt(x, _) => {
                let narrow = self.width(x);
                if k > fold::ones(narrow) {
                    return self.no();
                }
                let k = self.constant(narrow, k);
                return self.eq(x, k);
            }
            Node::SExt(x, _) => {
                let narrow = self.width(x);
                if fold::mask(width, fold::signed(narrow, k) as u128) != k {
                    return self.no();
                }
                let k = self.constant(narrow, k);
                return self.eq(x, k);
            }
            Node::Concat(high, low) => {
                let below = self.width(low);
                let above = self.constant(width - below, k >> below);
                let under = self.constant(below, k);
                let high = self.eq(high, above);
                let low = self.eq(low, under);
                return self.and(high, low);
            }
            Node::Binary(BinaryOp::And, _, c) => {
                if let Some(c) = self.as_const(c)
                    && k & !c != 0
                {
                    return self.no();
                }
            }
            Node::Binary(BinaryOp::Or, _, c) => {
                if let Some(c) = self.as_const(c)
                    && c & !k != 0
                {
                    return self.no();
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(Eq, a, constant))
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if let Ok(done) = self.fold_binary(ULt, a, b) {
            return done;
        }
        if a == b {
            return self.no();
        }
        let width = self.width(a);
        if width == 1 {
            let not = self.not(a);
            return self.and(not, b);
        }
        if let Some(k) = self.as_const(a) {
            // k < x is !(x < k + 1)
            if k == fold::ones(width) {
                return self.no();
            }
            let bound = self.constant(width, k + 1);
            let below = self.ult(b, bound);
            return self.not(below);
        }
        if let Some(k) = self.as_const(b) {
            return self.ult_const(a, k);
        }
        if let (Node::ZExt(x, _), Node::ZExt(y, _)) | (Node::SExt(x, _), Node::SExt(y, _)) =
            (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
        {
            return self.ult(x, y);
        }
        self.intern(Node::Binary(ULt, a, b))
    }

    fn ult_const(&mut self, a: Term, k: u128) -> Term {
        let width = self.width(a);
        if k == 0 {
            return self.no();
        }
        if k == 1 {
            let zero = self.constant(width, 0);
            return self.eq(a, zero);
        }
        if k == fold::ones(width) {
            let top = self.constant(width, k);
            return self.ne(a, top);
        }
        match self.node(a) {
            Node::ZExt(x, _) => {
                let narrow = self.width(x);
                if k > fold::ones(narrow) {
                    return self.yes();
                }
                let k = self.constant(narrow, k);
                return self.ult(x, k);
            }
            Node::SExt(x, _) => {
                // The values are [0, half) and, at the upper end, [2^width - half, 2^width).
                let narrow = self.width(x);
                let half = fold::sign_bit(narrow);
                let upper = fold::mask(width, half.wrapping_neg());
                let k = if k <= half || k > upper { k } else { half };
                let k = self.constant(narrow, k);
                return self.ult(x, k);
            }
            _ => {}
        }
        let k = self.constant(width, k);
        self.intern(Node::Binary(ULt, a, k))
    }

    /// Unsigned less than or equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let above = self.ult(b, a);
        self.not(above)
    }

    /// Signed less than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if let Ok(done) = self.fold_binary(SLt, a, b) {
            return done;
        }
        if a == b {
            return self.no();
        }
        let width = self.width(a);
        if width == 1 {
            // The numbers are 0 and -1.
            let not = self.not(b);
            return self.and(a, not);
        }
        if let Some(k) = self.as_const(a) {
            if k == fold::sign_bit(width) - 1 {
                return self.no();
            }
            let bound = self.constant(width, k.wrapping_add(1));
            let below = self.slt(b, bound);
            return self.not(below);
        }
        if let Some(k) = self.as_const(b) {
            return self.slt_const(a, k);
        }
        match (self.node(a), self.node(b)) {
            (Node::ZExt(x, _), Node::ZExt(y, _)) if self.width(x) == self.width(y) => return self.ult(x, y),
            (Node::SExt(x, _), Node::SExt(y, _)) if self.width(x) == self.width(y) => return self.slt(x, y),
            _ => {}
        }
        self.intern(Node::Binary(SLt, a, b))
    }

    fn slt_const(&mut self, a: Term, k: u128) -> Term {
        let width = self.width(a);
        let (least, most) = (fold::sign_bit(width), fold::sign_bit(width) - 1);
        if k == least {
            return self.no();
        }
        if k == least + 1 {
            let least = self.constant(width, least);
            return self.eq(a, least);
        }
        if k == most {
            let most = self.constant(width, most);
            return self.ne(a, most);
        }
        let value = fold::signed(width, k);
        match self.node(a) {
            Node::ZExt(x, _) => {
                let narrow = self.width(x);
                if value <= 0 {
                    return self.no();
                }
                if value as u128 > fold::ones(narrow) {
                    return self.yes();
                }
                let k = self.constant(narrow, k);
                return self.ult(x, k);
            }
            Node::SExt(x, _) => {
                let narrow = self.width(x);
                let half = fold::sign_bit(narrow) as i128;
                if value >= half {
                    return self.yes();
                }
                if value <= -half {
                    return self.no();
                }
                let k = self.constant(narrow, k);
                return self.slt(x, k);
            }
            _ => {}
        }
        let k = self.constant(width, k);
        self.intern(Node::Binary(SLt, a, k))
    }

    /// Signed less than or equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let above = self.slt(b, a);
        self.not(above)
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each step doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
