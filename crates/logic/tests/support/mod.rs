//! Random terms, each built twice: node by node as it is, and through the simplifying constructors.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod parallel;

use robusto_logic::{BinaryOp, FloatKind, FloatOp, Model, Node, Sort, Term, Terms};
use robusto_testing::Random;

/// A value of a width; small and extreme numbers are where the rules are, so they come often.
pub fn value_of_width(random: &mut Random, width: u16) -> u128 {
    let value = u128::from(random.bits()) << 64 | u128::from(random.bits());
    let value = match random.below(4) {
        0 => value,
        1 => value % 4,
        2 => (value % 4).wrapping_neg(),
        _ => (1u128 << (width - 1)).wrapping_add(value % 3).wrapping_sub(1),
    };
    value & u128::MAX >> (128 - width)
}

/// A term and the same term simplified.
pub type Pair = (Term, Term);

/// What random terms are made of.
pub struct Gen {
    pub rng: Random,
    /// Widths of bit-vectors that occur.
    pub widths: Vec<u16>,
    /// Index and element width of arrays, if there are any.
    pub arrays: Option<(u16, u16)>,
    pub symbols_per_sort: usize,
    /// Whether uninterpreted functions occur.
    pub functions: bool,
}

impl Gen {
    pub fn symbol(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        let number = self.rng.below(self.symbols_per_sort);
        let name = match sort {
            Sort::Bits(width) => format!("x{number}_{width}"),
            Sort::Array { .. } => format!("a{number}"),
        };
        terms.symbol(&name, sort)
    }

    fn same(terms: &mut Terms, node: Node, simple: Node) -> Pair {
        (terms.intern(node), terms.build(simple))
    }

    pub fn bits(&mut self, terms: &mut Terms, width: u16, depth: usize) -> Pair {
        if depth == 0 || self.rng.below(8) == 0 {
            let t = if self.rng.below(3) == 0 {
                let bits = value_of_width(&mut self.rng, width);
                terms.constant(width, bits)
            } else {
                self.symbol(terms, Sort::Bits(width))
            };
            return (t, t);
        }
        let depth = depth - 1;
        match self.rng.below(16) {
            0 => {
                let x = self.bits(terms, width, depth);
                Self::same(terms, Node::Not(x.0), Node::Not(x.1))
            }
            1 => {
                let x = self.bits(terms, width, depth);
                Self::same(terms, Node::Neg(x.0), Node::Neg(x.1))
            }
            2 | 3 => {
                let c = self.bits(terms, 1, depth);
                let (x, y) = (self.bits(terms, width, depth), self.bits(terms, width, depth));
                Self::same(terms, Node::Ite(c.0, x.0, y.0), Node::Ite(c.1, x.1, y.1))
            }
            4 => {
                let wider: Vec<u16> = self.widths.iter().copied().filter(|&w| w > width).collect();
                if wider.is_empty() {
                    return self.bits(terms, width, depth);
                }
                let from = self.rng.pick(&wider);
                let x = self.bits(terms, from, depth);
                let lo = self.rng.below(usize::from(from - width) + 1) as u16;
                Self::same(terms, Node::Extract { arg: x.0, lo, width }, Node::Extract { arg: x.1, lo, width })
            }
            5 if width > 1 => {
                let narrower: Vec<u16> = self.widths.iter().copied().filter(|&w| w < width).collect();
                let low = self.rng.pick(&narrower);
                let (h, l) = (self.bits(terms, width - low, depth), self.bits(terms, low, depth));
                Self::same(terms, Node::Concat(h.0, l.0), Node::Concat(h.1, l.1))
            }
            6 | 7 if width > 1 => {
                let narrower: Vec<u16> = self.widths.iter().copied().filter(|&w| w < width).collect();
                let from = self.rng.pick(&narrower);
                let x = self.bits(terms, from, depth);
                if self.rng.below(2) == 0 {
                    Self::same(terms, Node::ZExt(x.0, width), Node::ZExt(x.1, width))
                } else {
                    Self::same(terms, Node::SExt(x.0, width), Node::SExt(x.1, width))
                }
            }
            8 | 9 if self.arrays.is_some_and(|(_, element)| element == width) => {
                let (index, _) = self.arrays.expect("just seen");
                let (a, i) = (self.array(terms, depth), self.bits(terms, index, depth));
                Self::same(terms, Node::Select(a.0, i.0), Node::Select(a.1, i.1))
            }
            10 if self.functions => {
                let from = self.rng.pick(&self.widths.clone());
                let (x, y) = (self.bits(terms, from, depth), self.bits(terms, from, depth));
                let no = terms.no();
                let arithmetic = self.rng.pick(&[FloatKind::Add, FloatKind::Sub, FloatKind::Mul, FloatKind::Div]);
                let [of, op, to] = [FloatKind::OfSigned, arithmetic, FloatKind::ToSigned].map(FloatOp::nearest);
                let [x, y] =
                    [x, y].map(|x| Self::same(terms, Node::Float(of, x.0, no, 16), Node::Float(of, x.1, no, 16)));
                let z = Self::same(terms, Node::Float(op, x.0, y.0, 16), Node::Float(op, x.1, y.1, 16));
                Self::same(terms, Node::Float(to, z.0, no, width), Node::Float(to, z.1, no, width))
            }
            _ => {
                let ops: Vec<BinaryOp> =
                    BinaryOp::ALL.into_iter().filter(|op| !op.is_comparison() || width == 1).collect();
                let op = self.rng.pick(&ops);
                let from = if op.is_comparison() { self.rng.pick(&self.widths.clone()) } else { width };
                let (mut x, y) = (self.bits(terms, from, depth), self.bits(terms, from, depth));
                if self.rng.below(6) == 0 {
                    x = y;
                }
                Self::same(terms, Node::Binary(op, x.0, y.0), Node::Binary(op, x.1, y.1))
            }
        }
    }

    pub fn array(&mut self, terms: &mut Terms, depth: usize) -> Pair {
        let (index, element) = self.arrays.expect("arrays are wanted");
        if depth == 0 || self.rng.below(8) == 0 {
            if self.rng.below(4) == 0 {
                let value = self.bits(terms, element, 0);
                return Self::same(
                    terms,
                    Node::ConstArray { index, value: value.0 },
                    Node::ConstArray { index, value: value.1 },
                );
            }
            let t = self.symbol(terms, Sort::Array { index, element });
            return (t, t);
        }
        let depth = depth - 1;
        match self.rng.below(6) {
            0 => {
                let c = self.bits(terms, 1, depth);
                let (x, y) = (self.array(terms, depth), self.array(terms, depth));
                Self::same(terms, Node::Ite(c.0, x.0, y.0), Node::Ite(c.1, x.1, y.1))
            }
            1 => {
                let (b, s) = (self.array(terms, depth), self.array(terms, depth));
                let (t, f) = (self.bits(terms, index, depth), self.bits(terms, index, depth));
                let z = self.bits(terms, index, depth);
                Self::same(
                    terms,
                    Node::Splice { base: b.0, source: s.0, to: t.0, from: f.0, size: z.0 },
                    Node::Splice { base: b.1, source: s.1, to: t.1, from: f.1, size: z.1 },
                )
            }
            _ => {
                let a = self.array(terms, depth);
                let (i, v) = (self.bits(terms, index, depth), self.bits(terms, element, depth));
                Self::same(terms, Node::Store(a.0, i.0, v.0), Node::Store(a.1, i.1, v.1))
            }
        }
    }

    /// Random values for all symbols.
    pub fn model(&mut self, terms: &Terms, roots: &[Term]) -> Model {
        let mut model = Model::new();
        for t in terms.subterms(roots) {
            let Some(symbol) = terms.as_symbol(t) else { continue };
            match terms.sort(t) {
                Sort::Bits(width) => model.set(symbol, value_of_width(&mut self.rng, width)),
                Sort::Array { index, element } => {
                    let mut value = robusto_logic::ArrayValue {
                        default: value_of_width(&mut self.rng, element),
                        ..Default::default()
                    };
                    for _ in 0..4 {
                        value
                            .elements
                            .insert(value_of_width(&mut self.rng, index), value_of_width(&mut self.rng, element));
                    }
                    model.set_array(symbol, value);
                }
            }
        }
        model
    }
}
