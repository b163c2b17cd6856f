//! Bit-vector circuits over decision diagrams: the operators of C on vectors of Boolean functions.
//!
//! All results have the width of their operands unless said otherwise; division by zero and shifts by the width or more
//! are defined as in SMT-LIB. A result with more nodes than the budget is given up as [`CircuitError::TooLarge`]: a
//! multiplication of two wide unknowns would otherwise fill the store.

mod arithmetic;
mod comparison;
mod division;
mod shifts;

use std::ops::Deref;

use crate::kernel::{Edge, Kernel};
use crate::{Bdd, Diagrams, Full, VarIndex};

/// A vector of functions, least significant bit first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(Vec<Bdd>);

impl Bits {
    /// The vector of these bits, least significant first.
    pub fn new(bits: Vec<Bdd>) -> Self {
        Self(bits)
    }

    /// How many bits.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// The bits themselves.
    pub fn into_vec(self) -> Vec<Bdd> {
        self.0
    }

    /// The most significant bit.
    fn sign(&self) -> &Bdd {
        self.0.last().expect("a vector has at least one bit")
    }
}

impl Deref for Bits {
    type Target = [Bdd];

    fn deref(&self) -> &[Bdd] {
        &self.0
    }
}

impl FromIterator<Bdd> for Bits {
    fn from_iter<I: IntoIterator<Item = Bdd>>(bits: I) -> Self {
        Self(bits.into_iter().collect())
    }
}

/// Why a circuit was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CircuitError {
    /// An intermediate result has more nodes than the budget.
    #[error("a bit-vector operation exceeds its budget of decision-diagram nodes")]
    TooLarge,
    /// The store is exhausted.
    #[error(transparent)]
    Full(#[from] Full),
}

/// The result of building a circuit.
pub type Result<T> = std::result::Result<T, CircuitError>;

/// A builder of circuits whose intermediate functions each have at most `budget` nodes.
#[derive(Clone, Copy, Debug)]
pub struct Circuits<'d> {
    diagrams: &'d Diagrams,
    budget: usize,
}

impl Diagrams {
    /// A builder of circuits; `budget` bounds the nodes of every intermediate function.
    pub fn circuits(&self, budget: usize) -> Circuits<'_> {
        Circuits { diagrams: self, budget }
    }
}

impl<'d> Circuits<'d> {
    /// The diagrams the circuits are built in.
    pub fn diagrams(&self) -> &'d Diagrams {
        self.diagrams
    }

    /// The lowest `width` bits of a value.
    pub fn constant(&self, width: usize, value: u128) -> Bits {
        (0..width).map(|bit| self.diagrams.constant(bit < 128 && value >> bit & 1 == 1)).collect()
    }

    /// The vector of variables, least significant first.
    pub fn variables(&self, vars: &[VarIndex]) -> Result<Bits> {
        vars.iter().map(|&var| Ok(self.diagrams.var(var)?)).collect::<Result<_>>()
    }

    /// The value of a vector of at most 128 bits that are all constant.
    pub fn as_constant(&self, a: &Bits) -> Option<u128> {
        if a.width() > 128 {
            return None;
        }
        a.iter().rev().try_fold(0, |value, bit| Some(value << 1 | u128::from(self.diagrams.as_constant(bit)?)))
    }

    /// Passes on a function within the budget.
    fn check(&self, f: Bdd) -> Result<Bdd> {
        match self.diagrams.node_count_up_to(&f, self.budget) {
            Some(_) => Ok(f),
            None => Err(CircuitError::TooLarge),
        }
    }

    /// Runs an operation within the budget.
    fn run(&self, operation: impl Fn(&mut Kernel) -> std::result::Result<Edge, Full>) -> Result<Bdd> {
        // What a connective creates is part of its result, so the budget also bounds its time.
        self.check(self.diagrams.run_within(self.budget, operation)?.ok_or(CircuitError::TooLarge)?)
    }

    fn not1(&self, f: &Bdd) -> Bdd {
        self.diagrams.complement(f)
    }

    fn and1(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|kernel| kernel.and(f.edge(), g.edge()))
    }

    fn or1(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|kernel| kernel.or(f.edge(), g.edge()))
    }

    fn xor1(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|kernel| kernel.xor(f.edge(), g.edge()))
    }

    fn ite1(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|kernel| kernel.ite(c.edge(), f.edge(), g.edge()))
    }

    /// Applies an operator to each pair of bits.
    fn zip(&self, a: &Bits, b: &Bits, op: impl Fn(&Bdd, &Bdd) -> Result<Bdd>) -> Result<Bits> {
        assert_eq!(a.width(), b.width(), "operands of one width");
        a.iter().zip(b.iter()).map(|(a, b)| op(a, b)).collect()
    }

    /// `~a`
    pub fn not(&self, a: &Bits) -> Result<Bits> {
        Ok(self.complement(a))
    }

    fn complement(&self, a: &Bits) -> Bits {
        a.iter().map(|bit| self.not1(bit)).collect()
    }

    /// `a & b`
    pub fn and(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.zip(a, b, |a, b| self.and1(a, b))
    }

    /// `a | b`
    pub fn or(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.zip(a, b, |a, b| self.or1(a, b))
    }

    /// `a ^ b`
    pub fn xor(&self, a: &Bits, b: &Bits) -> Result<Bits> {
        self.zip(a, b, |a, b| self.xor1(a, b))
    }

    /// `c ? a : b`
    pub fn ite(&self, c: &Bdd, a: &Bits, b: &Bits) -> Result<Bits> {
        self.zip(a, b, |a, b| self.ite1(c, a, b))
    }

    /// `a` with zeros above it, `width` bits.
    pub fn zext(&self, a: &Bits, width: usize) -> Bits {
        self.extend(a, width, &self.diagrams.bottom())
    }

    /// `a` with its sign above it, `width` bits.
    pub fn sext(&self, a: &Bits, width: usize) -> Bits {
        self.extend(a, width, a.sign())
    }

    fn extend(&self, a: &Bits, width: usize, fill: &Bdd) -> Bits {
        assert!(width >= a.width(), "an extension is not narrower");
        a.iter().chain(std::iter::repeat(fill)).take(width).cloned().collect()
    }

    /// The lowest `width` bits of `a`.
    pub fn trunc(&self, a: &Bits, width: usize) -> Bits {
        assert!(width <= a.width(), "a truncation is not wider");
        a[..width].iter().cloned().collect()
    }

    /// A truth value as a vector: 0 or 1.
    pub fn from_bool(&self, f: &Bdd, width: usize) -> Bits {
        self.zext(&Bits(vec![f.clone()]), width)
    }
}
