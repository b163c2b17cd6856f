//! `x = e` as a relation between the bits of the variables in `e` and those of `x`.
//!
//! | `x` | `e` | relation |
//! |---|---|---|
//! | its own bits | anything with a value | bit by bit |
//! | an index | a constant | the index of the constant |
//! | an index | one indexed variable, at most widened or narrowed, or of known values | row by row |
//! | an index of known values | anything with a value | the value compared with each of them |

use crate::encoding::{Code, Meaning};
use crate::values::Support;
use crate::{Model, full};
use robusto_cfa::ir::{CastOp, Expr, ExprId, ExprPool, Ty, VarId};
use robusto_diagram::{Bdd as Node, VarIndex};
use robusto_limits::Stopped;

/// Which bits of an assigned variable take the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The current bits.
    Current,
    /// The next bits.
    Next,
}

impl Model<'_> {
    fn target_bits(&self, var: VarId, side: Side) -> Vec<VarIndex> {
        let code = self.encoding.get(var).expect("only tracked variables are written");
        match side {
            Side::Current => code.bits.clone(),
            Side::Next => code.next.clone(),
        }
    }

    /// The set where some bits make this number.
    pub(crate) fn number_is(&self, bits: &[VarIndex], number: u64) -> Result<Node, Stopped> {
        let literals: Vec<_> = bits.iter().enumerate().map(|(i, &bit)| (bit, number >> i & 1 == 1)).collect();
        self.diagrams.literals(&literals).map_err(full)
    }

    /// All values that the encoding of a variable has.
    pub fn domain(&self, var: VarId, side: Side) -> Result<Node, Stopped> {
        let code = self.encoding.get(var).expect("only tracked variables are written");
        let Meaning::Index { values, .. } = &code.meaning else { return Ok(self.diagrams.top()) };
        let bits = self.target_bits(var, side);
        let mut set = self.diagrams.bottom();
        for (index, _) in values.iter().enumerate().filter(|(_, v)| v.is_some()) {
            set = self.diagrams.or(&set, &self.number_is(&bits, index as u64)?).map_err(full)?;
        }
        Ok(set)
    }

    /// The relation `var = e`; `None` if it cannot be expressed.
    pub fn relation(&mut self, var: VarId, e: ExprId, side: Side) -> Result<Option<Node>, Stopped> {
        let bits = self.target_bits(var, side);
        let meaning = self.encoding.get(var).map(|c| c.meaning.clone());
        let Some(Meaning::Index { values, exact }) = meaning else {
            let Some(value) = self.value(e)? else { return Ok(None) };
            let mut relation = self.diagrams.top();
            for (&bit, value) in bits.iter().zip(value.iter()).rev() {
                let same = self.diagrams.iff(&self.diagrams.var(bit).map_err(full)?, value).map_err(full)?;
                relation = self.diagrams.and(&relation, &same).map_err(full)?;
            }
            return Ok(Some(relation));
        };
        self.indexed_relation(&bits, &values, exact, e)
    }

    fn indexed_relation(
        &mut self,
        bits: &[VarIndex],
        values: &[Option<u64>],
        exact: bool,
        e: ExprId,
    ) -> Result<Option<Node>, Stopped> {
        let facts = self.facts;
        let pool = &facts.program.exprs;
        let index_of = |value: u64| values.iter().position(|v| *v == Some(value));
        if let Some(constant) = pool.as_const(e) {
            return match index_of(constant) {
                Some(index) => Ok(Some(self.number_is(bits, index as u64)?)),
                None => Ok(None),
            };
        }
        // A value of another indexed variable: row by row.
        if let Support::One(source) = self.support(e)
            && let Some(Code { meaning: Meaning::Index { values: from, exact }, .. }) = self.encoding.get(source)
        {
            let (from, known) = (from.clone(), *exact);
            // A stand-in for many values may be handed on (through casts), but not computed with.
            if known || carries(pool, e) {
                let mut relation = self.diagrams.bottom();
                for (index, value) in from.iter().enumerate() {
                    let Some(value) = value else { continue };
                    let to = self.evaluate(e, source, *value).and_then(index_of);
                    let Some(to) = to else { return Ok(None) };
                    let row = self.diagrams.and(&self.index_is(source, index)?, &self.number_is(bits, to as u64)?);
                    relation = self.diagrams.or(&relation, &row.map_err(full)?).map_err(full)?;
                }
                return Ok(Some(relation));
            }
        }
        // Any other value: compare it with each representative.
        if !exact {
            return Ok(None);
        }
        let Some(value) = self.value(e)? else { return Ok(None) };
        let mut relation = self.diagrams.bottom();
        for (index, constant) in values.iter().enumerate() {
            let Some(constant) = constant else { continue };
            let mut row = self.number_is(bits, index as u64)?;
            for (i, bit) in value.iter().enumerate() {
                let same = if constant >> i & 1 == 1 { bit.clone() } else { self.diagrams.not(bit).map_err(full)? };
                row = self.diagrams.and(&row, &same).map_err(full)?;
            }
            relation = self.diagrams.or(&relation, &row).map_err(full)?;
        }
        Ok(Some(relation))
    }
}

/// Whether an expression hands the value of its variable on, at most widened or narrowed.
fn carries(pool: &ExprPool, e: ExprId) -> bool {
    match pool.get(e) {
        Expr::Var(_) => true,
        Expr::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, Ty::Int(_), inner) => carries(pool, inner),
        _ => false,
    }
}
