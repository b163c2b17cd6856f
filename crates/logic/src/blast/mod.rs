//! Bit-blasting: terms to gates.
//!
//! Each term is translated once; the gates are shared by all queries. Reads of arrays become free bits, except reads through
//! few writes, which are expanded in place (see `Blaster::expansion`), and so do costly operators on floats, if wanted; the
//! solver adds what is missing when a model violates it.

pub mod aig;
pub mod cnf;
pub mod float;
pub mod word;

use crate::term::{BinaryOp, FloatKind, Node, Sort, Term, Terms};
use aig::{Aig, Lit};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;
use word::Word;

/// A read is expanded in place if its array is built from at most this many stores, ifs and splices. Each round of
/// lemmas costs a SAT call, so lemmas pay only where most writes have nothing to do with the read: 30 reads through 30
/// writes at free indices take 0.3 s expanded, 2.7 s by lemmas.
pub const EXPAND: usize = 32;
/// How many terms are translated between two looks at the clock.
const POLL: usize = 1024;

/// Where the bits of a term start.
const ABSENT: u32 = u32::MAX;

/// The gates of terms.
#[derive(Clone, Debug)]
pub struct Blaster {
    /// The graph.
    pub aig: Aig,
    /// By term.
    starts: Vec<u32>,
    bits: Vec<Lit>,
    /// By term: whether a read of an array or an uninterpreted function is below.
    lazy: Vec<bool>,
    /// Reads that are translated as another term.
    expansions: FxHashMap<Term, Term>,
    /// The bit-vector symbols seen, in that order.
    symbols: Vec<Term>,
    polled: usize,
    /// How many operations of an array a read is expanded through.
    pub expand: usize,
    /// Whether costly operators on floats have free bits at first.
    postpone: bool,
}

impl Default for Blaster {
    fn default() -> Self {
        Self {
            aig: Aig::default(),
            starts: Vec::new(),
            bits: Vec::new(),
            lazy: Vec::new(),
            expansions: FxHashMap::default(),
            symbols: Vec::new(),
            polled: 0,
            expand: EXPAND,
            postpone: false,
        }
    }
}

impl Blaster {
    /// Gates in which costly operators on floats have free bits.
    pub fn with_postponed_floats() -> Self {
        Self { postpone: true, ..Self::default() }
    }

    /// The bits of a translated term, the lowest first.
    pub fn bits(&self, terms: &Terms, t: Term) -> &[Lit] {
        let start = self.starts[t.index()] as usize;
        &self.bits[start..start + usize::from(terms.width(t))]
    }

    /// Whether a term is translated.
    pub fn has(&self, t: Term) -> bool {
        self.starts.get(t.index()).is_some_and(|&start| start != ABSENT)
    }

    /// Whether a translated term depends on reads of arrays or on floats that have free bits.
    pub fn is_lazy(&self, t: Term) -> bool {
        self.lazy[t.index()]
    }

    /// The term that a read was translated as, if not as free bits.
    pub fn expanded(&self, read: Term) -> Option<Term> {
        self.expansions.get(&read).copied()
    }

    /// The bit-vector symbols translated so far.
    pub fn symbols(&self) -> &[Term] {
        &self.symbols
    }

    /// Translates a term and all below it.
    pub fn blast(&mut self, terms: &mut Terms, t: Term, limits: &Limits) -> Result<(), Stopped> {
        if self.has(t) {
            return Ok(());
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.starts.len() < terms.len() {
                self.starts.resize(terms.len(), ABSENT);
                self.lazy.resize(terms.len(), false);
            }
            if self.has(top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let pending = stack.len();
            if let Node::Select(array, index) = node {
                // The index comes along: the solver compares indices in models.
                let expansion = self.expansion(terms, top, array, index);
                let wanted = expansion.unwrap_or(index);
                if !self.has_or_grow(terms, wanted) {
                    stack.push(wanted);
                }
                if stack.len() > pending {
                    continue;
                }
                let word = match expansion {
                    Some(same) => {
                        self.lazy[top.index()] = self.lazy[same.index()];
                        self.bits(terms, same).to_vec()
                    }
                    None => {
                        self.lazy[top.index()] = true;
                        (0..terms.width(top)).map(|_| self.aig.input()).collect()
                    }
                };
                stack.pop();
                self.put(top, &word);
                continue;
            }
            let operands = node.operands();
            for &operand in operands.iter() {
                if !self.has(operand) {
                    stack.push(operand);
                }
            }
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            self.lazy[top.index()] =
                self.is_postponed(node) || operands.iter().any(|operand| self.lazy[operand.index()]);
            let word = self.gates(terms, top, node);
            self.put(top, &word);
            // A wide product or quotient is as much work as hundreds of other terms, an operator on floats as thousands.
            self.polled += if matches!(node, Node::Float(..)) { POLL } else { 1 + word.len() / 16 };
            if self.polled >= POLL {
                self.polled = 0;
                limits.look()?;
            }
        }
        Ok(())
    }

    /// Whether a term has free bits in place of an operator on floats.
    pub fn is_postponed(&self, node: Node) -> bool {
        self.postpone && matches!(node, Node::Float(op, ..) if is_costly(op.kind))
    }

    /// The bits of an operator on floats whose operands are translated.
    pub fn float(&mut self, terms: &Terms, t: Term) -> Word {
        let Node::Float(op, x, y, width) = terms.node(t) else { unreachable!("no operator on floats") };
        let (x, y) = (self.bits(terms, x).to_vec(), self.bits(terms, y).to_vec());
        float::circuit(&mut self.aig, op, &x, &y, width.into())
    }

    /// A remainder whose operands are translated, with so many digits of the quotient.
    pub fn divide(&mut self, terms: &Terms, t: Term, digits: usize) -> float::Division {
        let Node::Float(op, x, y, _) = terms.node(t) else { unreachable!("no operator on floats") };
        let (x, y) = (self.bits(terms, x).to_vec(), self.bits(terms, y).to_vec());
        float::divide(&mut self.aig, op.kind, &x, &y, digits)
    }

    fn has_or_grow(&mut self, terms: &Terms, t: Term) -> bool {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), ABSENT);
            self.lazy.resize(terms.len(), false);
        }
        self.has(t)
    }

    fn put(&mut self, t: Term, word: &[Lit]) {
        self.starts[t.index()] = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits");
        self.bits.extend_from_slice(word);
    }

    /// The value of a read in terms of reads further down, if the array is built from few operations.
    fn expansion(&mut self, terms: &mut Terms, read: Term, array: Term, index: Term) -> Option<Term> {
        if let Some(&done) = self.expansions.get(&read) {
            return Some(done);
        }
        if terms.as_symbol(array).is_some() || !is_shallow(terms, array, self.expand) {
            return None;
        }
        let expansion = definition(terms, array, index);
        if expansion == read {
            return None;
        }
        self.expansions.insert(read, expansion);
        Some(expansion)
    }

    fn gates(&mut self, terms: &Terms, t: Term, node: Node) -> Word {
        let postponed = self.is_postponed(node);
        let aig = &mut self.aig;
        let starts = &self.starts;
        let all = &self.bits;
        let word = |t: Term| -> &[Lit] {
            let start = starts[t.index()] as usize;
            &all[start..start + usize::from(terms.width(t))]
        };
        match node {
            Node::Const { width, bits } => word::of_constant(width.into(), bits),
            Node::Symbol(_) => {
                self.symbols.push(t);
                (0..terms.width(t)).map(|_| aig.input()).collect()
            }
            Node::Float(.., width) if postponed => (0..width).map(|_| aig.input()).collect(),
            Node::Float(op, x, y, width) => float::circuit(aig, op, word(x), word(y), width.into()),
            Node::Not(x) => word(x).iter().map(|&bit| !bit).collect(),
            Node::Neg(x) => aig.neg(word(x)),
            Node::Binary(op, x, y) => binary(aig, op, word(x), word(y)),
            Node::Ite(cond, x, y) => aig.mux_word(word(cond)[0], word(x), word(y)),
            Node::Extract { arg, lo, width } => word(arg)[lo.into()..(lo + width).into()].to_vec(),
            Node::Concat(high, low) => [word(low), word(high)].concat(),
            Node::ZExt(x, width) => {
                let mut bits = word(x).to_vec();
                bits.resize(width.into(), Lit::FALSE);
                bits
            }
            Node::SExt(x, width) => {
                let mut bits = word(x).to_vec();
                bits.resize(width.into(), bits[bits.len() - 1]);
                bits
            }
            Node::Select(..) | Node::Store(..) | Node::ConstArray { .. } | Node::Splice { .. } => {
                unreachable!("reads are handled before, arrays have no bits")
            }
        }
    }
}

/// Whether a circuit has thousands of gates.
fn is_costly(kind: FloatKind) -> bool {
    use FloatKind::*;
    matches!(kind, Add | Sub | Mul | Div | Sqrt | Fmod | Remainder | Fma)
}

fn binary(aig: &mut Aig, op: BinaryOp, a: &[Lit], b: &[Lit]) -> Word {
    use BinaryOp::*;
    match op {
        Add => aig.add(a, b, Lit::FALSE),
        Sub => aig.sub(a, b),
        Mul => aig.mul(a, b),
        UDiv => aig.divide(a, b).0,
        URem => aig.divide(a, b).1,
        SDiv => aig.divide_signed(a, b).0,
        SRem => aig.divide_signed(a, b).1,
        And => a.iter().zip(b).map(|(&x, &y)| aig.and(x, y)).collect(),
        Or => a.iter().zip(b).map(|(&x, &y)| aig.or(x, y)).collect(),
        Xor => a.iter().zip(b).map(|(&x, &y)| aig.xor(x, y)).collect(),
        Shl => aig.shl(a, b),
        LShr => aig.shift_right(a, b, Lit::FALSE),
        AShr => aig.shift_right(a, b, a[a.len() - 1]),
        Eq => vec![aig.eq(a, b)],
        ULt => vec![aig.ult(a, b)],
        ULe => vec![!aig.ult(b, a)],
        SLt => vec![aig.slt(a, b)],
        SLe => vec![!aig.slt(b, a)],
    }
}

/// Whether an array is built from at most so many operations.
fn is_shallow(terms: &Terms, array: Term, limit: usize) -> bool {
    let mut seen: Vec<Term> = Vec::with_capacity(limit);
    let mut todo = vec![array];
    while let Some(t) = todo.pop() {
        if matches!(terms.node(t), Node::Symbol(_) | Node::ConstArray { .. }) || seen.contains(&t) {
            continue;
        }
        if seen.len() == limit {
            return false;
        }
        seen.push(t);
        todo.extend(terms.node(t).operands().iter().filter(|&&x| matches!(terms.sort(x), Sort::Array { .. })));
    }
    true
}

/// What `array[index]` means by the outermost operation of the array: the read-over-write axioms.
pub fn definition(terms: &mut Terms, array: Term, index: Term) -> Term {
    match terms.node(array) {
        Node::Store(below, at, value) => {
            let hit = terms.eq(index, at);
            let rest = terms.select(below, index);
            terms.ite(hit, value, rest)
        }
        Node::Ite(cond, yes, no) => {
            let (yes, no) = (terms.select(yes, index), terms.select(no, index));
            terms.ite(cond, yes, no)
        }
        Node::Splice { base, source, to, from, size } => {
            let distance = terms.sub(index, to);
            let inside = terms.ult(distance, size);
            let read = terms.add(distance, from);
            let (copied, kept) = (terms.select(source, read), terms.select(base, index));
            terms.ite(inside, copied, kept)
        }
        Node::ConstArray { value, .. } => value,
        node => unreachable!("{node:?} has no definition"),
    }
}
