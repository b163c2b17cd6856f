//! Constructors of the bitwise operators (on width 1 the connectives), of cutting and of widening.

use super::BinaryOp::{Add, And, Eq, Mul, Or, Shl, Sub, Xor};
use super::{BinaryOp, Node, Sort, Term, Terms, fold};

impl Terms {
    /// Bitwise complement; on width 1, negation.
    pub fn not(&mut self, x: Term) -> Term {
        let width = self.width(x);
        match self.node(x) {
            Node::Const { bits, .. } => self.constant(width, !bits),
            Node::Not(y) => y,
            Node::Ite(cond, a, b) => match (self.as_const(a), self.as_const(b)) {
                (Some(a), Some(b)) => self.choice(cond, width, !a, !b),
                _ => self.intern(Node::Not(x)),
            },
            _ => self.intern(Node::Not(x)),
        }
    }

    /// Whether one term is the syntactic complement of the other.
    pub(super) fn are_complements(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = match self.fold_binary(And, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let width = self.width(a);
        if let Some(k) = self.as_const(b) {
            if k == 0 {
                return b;
            }
            if k == fold::ones(width) {
                return a;
            }
            match self.node(a) {
                Node::Binary(And, x, c) => {
                    if let Some(c) = self.as_const(c) {
                        let k = self.constant(width, c & k);
                        return self.and(x, k);
                    }
                }
                Node::ZExt(x, _) => {
                    let narrow = self.width(x);
                    let k = self.constant(narrow, k);
                    let cut = self.and(x, k);
                    return self.zext(cut, width);
                }
                _ => {}
            }
            if (k + 1).is_power_of_two() {
                let low = self.extract(a, 0, k.trailing_ones() as u16);
                return self.zext(low, width);
            }
            return self.intern(Node::Binary(And, a, b));
        }
        if let Some(simple) = self.lattice(And, a, b) {
            return simple;
        }
        self.connective(And, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = match self.fold_binary(Or, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let width = self.width(a);
        if let Some(k) = self.as_const(b) {
            if k == 0 {
                return a;
            }
            if k == fold::ones(width) {
                return b;
            }
            if let Node::Binary(Or, x, c) = self.node(a)
                && let Some(c) = self.as_const(c)
            {
                let k = self.constant(width, c | k);
                return self.or(x, k);
            }
            return self.intern(Node::Binary(Or, a, b));
        }
        if let Some(simple) = self.lattice(Or, a, b) {
            return simple;
        }
        self.connective(Or, a, b)
    }

    /// A conjunction or disjunction in normal form: not both operands negated.
    fn connective(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        if let (Node::Not(p), Node::Not(q)) = (self.node(a), self.node(b)) {
            let dual = if op == And { Or } else { And };
            let (p, q) = if p > q { (q, p) } else { (p, q) };
            let joined = self.intern(Node::Binary(dual, p, q));
            return self.intern(Node::Not(joined));
        }
        self.intern(Node::Binary(op, a, b))
    }

    /// Idempotence, complements and absorption; `op` is `And` or `Or`.
    fn lattice(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        let width = self.width(a);
        let bottom = if op == And { 0 } else { u128::MAX };
        if self.are_complements(a, b) {
            return Some(self.constant(width, bottom));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simple) = self.absorb(op, x, y) {
                return Some(simple);
            }
        }
        None
    }

    /// `x op y` where `y` is itself a connective that mentions `x` or its complement.
    fn absorb(&mut self, op: BinaryOp, x: Term, y: Term) -> Option<Term> {
        let width = self.width(x);
        let bottom = if op == And { 0 } else { u128::MAX };
        // As an operator on p and q, each negated if `flip`: De Morgan turns a negated connective into its dual.
        let (inner, p, q, flip) = match self.node(y) {
            Node::Binary(inner @ (And | Or), p, q) => (inner, p, q, false),
            Node::Not(z) => match self.node(z) {
                Node::Binary(And, p, q) => (Or, p, q, true),
                Node::Binary(Or, p, q) => (And, p, q, true),
                _ => return None,
            },
            _ => return None,
        };
        for (p, q) in [(p, q), (q, p)] {
            let same = if flip { self.are_complements(x, p) } else { x == p };
            let opposite = if flip { x == p } else { self.are_complements(x, p) };
            match (inner == op, same, opposite) {
                // x & (x & q), x & (x | q)
                (true, true, _) => return Some(y),
                (false, true, _) => return Some(x),
                // x & (!x & q), x & (!x | q)
                (true, _, true) => return Some(self.constant(width, bottom)),
                (false, _, true) => {
                    let q = if flip { self.not(q) } else { q };
                    return Some(self.shallow(op, x, q));
                }
                _ => {}
            }
        }
        None
    }

    /// A connective without another look into the operands' operands, so that absorption does not recurse.
    fn shallow(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        let width = self.width(a);
        if self.are_complements(a, b) {
            return self.constant(width, if op == And { 0 } else { u128::MAX });
        }
        if self.as_const(a).is_some() || self.as_const(b).is_some() {
            return self.binary(op, a, b);
        }
        let (a, b) = if a > b { (b, a) } else { (a, b) };
        self.connective(op, a, b)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = match self.fold_binary(Xor, a, b) {
            Ok(done) => return done,
            Err(operands) => operands,
        };
        let width = self.width(a);
        if width == 1 {
            let same = self.eq(a, b);
            return self.not(same);
        }
        if a == b {
            return self.constant(width, 0);
        }
        if let Some(k) = self.as_const(b) {
            if k == 0 {
                return a;
            }
            if k == fold::ones(width) {
                return self.not(a);
            }
            if let Node::Binary(Xor, x, c) = self.node(a)
                && let Some(c) = self.as_const(c)
            {
                let k = self.constant(width, c ^ k);
                return self.xor(x, k);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) => return self.xor(x, y),
            (Node::Not(x), _) => {
                let inner = self.xor(x, b);
                return self.not(inner);
            }
            (_, Node::Not(y)) => {
                let inner = self.xor(a, y);
                return self.not(inner);
            }
            (Node::Binary(Xor, x, y), _) if y == b => return x,
            (Node::Binary(Xor, x, y), _) if x == b => return y,
            (_, Node::Binary(Xor, x, y)) if y == a => return x,
            (_, Node::Binary(Xor, x, y)) if x == a => return y,
            _ => {}
        }
        self.intern(Node::Binary(Xor, a, b))
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of truth values.
    pub fn and_all(&mut self, all: &[Term]) -> Term {
        let yes = self.yes();
        all.iter().fold(yes, |sum, &t| self.and(sum, t))
    }

    /// The disjunction of truth values.
    pub fn or_all(&mut self, all: &[Term]) -> Term {
        let no = self.no();
        all.iter().fold(no, |sum, &t| self.or(sum, t))
    }

    /// Bits `lo` to `lo + width - 1`.
    pub fn extract(&mut self, arg: Term, lo: u16, width: u16) -> Term {
        let old = self.width(arg);
        debug_assert!(width >= 1 && lo + width <= old, "bits {lo} to {} of {old}", lo + width);
        if width == old {
            return arg;
        }
        match self.bounded(|terms| terms.extract_rules(arg, lo, width)) {
            Some(result) => result,
            None => self.intern(Node::Extract { arg, lo, width }),
        }
    }

    fn extract_rules(&mut self, arg: Term, lo: u16, width: u16) -> Term {
        if let Some((cond, x, y)) = self.as_choice(arg) {
            return self.choice(cond, width, x >> lo, y >> lo);
        }
        match self.node(arg) {
            Node::Const { bits, .. } => return self.constant(width, bits >> lo),
            Node::Extract { arg, lo: below, .. } => return self.extract(arg, below + lo, width),
            Node::Concat(high, low) => {
                let cut = self.width(low);
                if lo >= cut {
                    return self.extract(high, lo - cut, width);
                }
                if lo + width <= cut {
                    return self.extract(low, lo, width);
                }
                let high = self.extract(high, 0, lo + width - cut);
                let low = self.extract(low, lo, cut - lo);
                return self.concat(high, low);
            }
            Node::ZExt(x, _) => {
                let had = self.width(x);
                if lo >= had {
                    return self.constant(width, 0);
                }
                if lo + width <= had {
                    return self.extract(x, lo, width);
                }
                let x = self.extract(x, lo, had - lo);
                return self.zext(x, width);
            }
            Node::SExt(x, _) => {
                let had = self.width(x);
                if lo + width <= had {
                    return self.extract(x, lo, width);
                }
                let lo = lo.min(had - 1);
                let x = self.extract(x, lo, had - lo);
                return self.sext(x, width);
            }
            Node::Binary(Shl, x, by) => {
                if let Some(by) = self.as_const(by) {
                    let by = by as u16;
                    if lo >= by {
                        return self.extract(x, lo - by, width);
                    }
                    if lo + width <= by {
                        return self.constant(width, 0);
                    }
                }
            }
            Node::Binary(op @ (And | Or | Xor), x, k) => {
                if let Some(k) = self.as_const(k) {
                    let k = fold::mask(width, k >> lo);
                    match (op, k == 0, k == fold::ones(width)) {
                        (And, true, _) => return self.constant(width, 0),
                        (Or, _, true) => return self.constant(width, k),
                        (And, _, true) | (Or | Xor, true, _) => return self.extract(x, lo, width),
                        _ => {}
                    }
                }
            }
            // The low bits of a sum of widened values: add the narrow ones.
            Node::Binary(op @ (Add | Sub | Mul), x, y)
                if lo == 0 && self.fits_when_cut(x, width) && self.fits_when_cut(y, width) =>
            {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                return self.binary(op, x, y);
            }
            _ => {}
        }
        self.intern(Node::Extract { arg, lo, width })
    }

    /// Whether the lowest bits are a constant or a term that is there already.
    fn fits_when_cut(&self, t: Term, width: u16) -> bool {
        match self.node(t) {
            Node::Const { .. } => true,
            Node::ZExt(x, _) | Node::SExt(x, _) => self.width(x) == width || matches!(self.node(x), Node::Symbol(_)),
            _ => false,
        }
    }

    /// The first operand above the second.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.width(high), self.width(low));
        debug_assert!(above + below <= 128, "at most 128 bits");
        match (self.node(high), self.node(low)) {
            (Node::Const { bits: a, .. }, Node::Const { bits: b, .. }) => {
                return self.constant(above + below, (a << below) | b);
            }
            (Node::Const { bits: 0, .. }, _) => return self.zext(low, above + below),
            (Node::Concat(a, b), _) => {
                let rest = self.concat(b, low);
                return self.concat(a, rest);
            }
            (Node::ZExt(x, _), _) => {
                let inner = self.concat(x, low);
                return self.zext(inner, above + below);
            }
            (Node::Extract { arg: x, lo: i, .. }, Node::Extract { arg: y, lo: j, width })
                if x == y && j + width == i =>
            {
                return self.extract(x, j, above + below);
            }
            (_, Node::Concat(b, c)) => {
                let joined = match (self.node(high), self.node(b)) {
                    (Node::Const { .. }, Node::Const { .. }) => true,
                    (Node::Extract { arg: x, lo: i, .. }, Node::Extract { arg: y, lo: j, width }) => {
                        x == y && j + width == i
                    }
                    _ => false,
                };
                if joined {
                    let joined = self.concat(high, b);
                    return self.concat(joined, c);
                }
            }
            _ => {}
        }
        self.intern(Node::Concat(high, low))
    }

    /// Widening with zeros.
    pub fn zext(&mut self, arg: Term, width: u16) -> Term {
        let old = self.width(arg);
        debug_assert!(width >= old && width <= 128, "{old} to {width} bits");
        if width == old {
            return arg;
        }
        match self.node(arg) {
            Node::Const { bits, .. } => self.constant(width, bits),
            Node::ZExt(x, _) => self.zext(x, width),
            Node::Ite(cond, x, y) => match (self.as_const(x), self.as_const(y)) {
                (Some(x), Some(y)) => self.choice(cond, width, x, y),
                _ => self.intern(Node::ZExt(arg, width)),
            },
            _ => self.intern(Node::ZExt(arg, width)),
        }
    }

    /// Widening with copies of the sign.
    pub fn sext(&mut self, arg: Term, width: u16) -> Term {
        let old = self.width(arg);
        debug_assert!(width >= old && width <= 128, "{old} to {width} bits");
        if width == old {
            return arg;
        }
        if let Some((cond, x, y)) = self.as_choice(arg) {
            let (x, y) = (fold::signed(old, x) as u128, fold::signed(old, y) as u128);
            return self.choice(cond, width, x, y);
        }
        match self.node(arg) {
            Node::Const { bits, .. } => self.constant(width, fold::signed(old, bits) as u128),
            Node::SExt(x, _) => self.sext(x, width),
            Node::ZExt(x, _) => self.zext(x, width),
            _ => self.intern(Node::SExt(arg, width)),
        }
    }

    /// Whether the term is a connective of truth values.
    pub fn is_connective(&self, t: Term) -> bool {
        self.sort(t) == Sort::BOOL
            && match self.node(t) {
                Node::Not(_) | Node::Ite(..) | Node::Binary(And | Or | Xor, ..) => true,
                Node::Binary(Eq, a, _) => self.sort(a) == Sort::BOOL,
                _ => false,
            }
    }
}
