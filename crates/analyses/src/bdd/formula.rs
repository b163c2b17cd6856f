//! Sets of states as formulas over the program's variables: what a fixed point of decision diagrams says to others.
//!
//! A bit of a plain variable is the bit of its value. A bit of an indexed variable is the disjunction of the classes of
//! values whose index has that bit; a class is one value, or all values that the program treats alike (all but the
//! constants, or those between two constants). Where a variable holds known values only, the formula says that too:
//! the transitions rely on it.

use super::{Bdd, full};
use crate::symbolic::{Cell, Encoder};
use robusto_cfa::analysis::classify::Class;
use robusto_cfa::ir::{Ty, VarId};
use robusto_diagram::{Bdd as Node, VarIndex};
use robusto_finite::encoding::{self, Code, Meaning};
use robusto_limits::Stopped;
use robusto_logic::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most nodes of a set that is taken apart. Looking for independent variables takes as many passes over the set as it has
/// variables, and pays where the sets are small. CPU seconds of whole runs, certification included:
///
/// | task | none | 2,000 | 20,000 | all |
/// |---|---|---|---|---|
/// | `token_ring.07` | 2.1 | 2.3 | 2.8 | 2.2 |
/// | `token_ring.10` | 9.3 | 8.0 | 10.8 | 11.9 |
/// | `mem_slave_tlm.3` | 3.4 | 3.8 | 7.4 | 7.3 |
/// | `s3_srvr_7` | 1.4 | 1.2 | 1.3 | 1.2 |
/// | `Problem05_label10` | 3.5 | 3.4 | 3.8 | 3.6 |
const MAX_SPLIT_NODES: usize = 2_000;

impl Bdd<'_> {
    /// A set as a formula over the inputs of cells. Only variables for which there is a cell are spoken of; the others are
    /// quantified.
    pub fn formula(
        &self,
        encoder: &mut Encoder<'_>,
        set: &Node,
        cell: impl Fn(VarId) -> Option<Cell>,
    ) -> Result<Term, Stopped> {
        let mut bits: FxHashMap<VarIndex, Term> = FxHashMap::default();
        let mut owners: FxHashMap<VarIndex, VarId> = FxHashMap::default();
        let mut hidden: Vec<VarIndex> = Vec::new();
        let mut ranges: Vec<Term> = Vec::new();
        for var in self.facts.program.vars.ids() {
            let Some(code) = self.encoding().get(var) else { continue };
            let Some(cell) = cell(var) else {
                hidden.extend(&code.bits);
                continue;
            };
            owners.extend(code.bits.iter().map(|&bit| (bit, var)));
            let value = encoder.input(cell);
            self.bits_of(encoder, var, code, value, &mut bits, &mut ranges);
        }
        let hidden = self.diagrams().cube(&hidden).map_err(full)?;
        let set = self.diagrams().exists(set, &hidden).map_err(full)?;
        let (yes, no) = (encoder.terms.yes(), encoder.terms.no());
        let mut conjuncts = ranges;
        for factor in self.factors(set, &owners)? {
            conjuncts.push(
                self.diagrams().fold(&factor, yes, no, |bit, high, low| encoder.terms.ite(bits[&bit], high, low)),
            );
        }
        Ok(encoder.terms.and_all(&conjuncts))
    }

    /// A set as an intersection of sets that speak of different variables. Then what is said of a variable is the same at many
    /// locations, and implications between their formulas are easy to see.
    fn factors(&self, set: Node, owners: &FxHashMap<VarIndex, VarId>) -> Result<Vec<Node>, Stopped> {
        let mut factors = Vec::new();
        for part in self.diagrams().conjuncts(&set).map_err(full)? {
            self.split(part, owners, &mut factors)?;
        }
        Ok(factors)
    }

    /// What a set says about each variable that depends on no other, and the rest.
    fn split(&self, set: Node, owners: &FxHashMap<VarIndex, VarId>, factors: &mut Vec<Node>) -> Result<(), Stopped> {
        let mut rest = set;
        if self.diagrams().node_count_up_to(&rest, MAX_SPLIT_NODES).is_some() {
            let mut support = self.diagrams().support(&rest);
            let vars: BTreeSet<VarId> = support.iter().map(|bit| owners[bit]).collect();
            for var in vars {
                let (own, others): (Vec<VarIndex>, Vec<VarIndex>) = support.iter().partition(|&bit| owners[bit] == var);
                if others.is_empty() {
                    break;
                }
                let (own, others_cube) =
                    (self.diagrams().cube(&own).map_err(full)?, self.diagrams().cube(&others).map_err(full)?);
                let without = self.diagrams().exists(&rest, &own).map_err(full)?;
                let alone = self.diagrams().exists(&rest, &others_cube).map_err(full)?;
                if self.diagrams().and(&without, &alone).map_err(full)? == rest {
                    factors.push(alone);
                    rest = without;
                    support = others;
                }
            }
        }
        factors.push(rest);
        Ok(())
    }

    fn bits_of(
        &self,
        encoder: &mut Encoder<'_>,
        var: VarId,
        code: &Code,
        value: Term,
        bits: &mut FxHashMap<VarIndex, Term>,
        ranges: &mut Vec<Term>,
    ) {
        let terms = &mut encoder.terms;
        let Meaning::Index { values, exact } = &code.meaning else {
            for (i, &bit) in code.bits.iter().enumerate() {
                bits.insert(bit, terms.extract(value, i as u16, 1));
            }
            return;
        };
        let classes: Vec<Term> = if *exact {
            let width = terms.width(value);
            let mut equals = |v: &Option<u64>| match v {
                Some(v) => {
                    let constant = terms.constant(width, (*v).into());
                    terms.eq(value, constant)
                }
                None => terms.no(),
            };
            values.iter().map(&mut equals).collect()
        } else {
            self.classes_of(encoder, var, value)
        };
        let terms = &mut encoder.terms;
        if *exact {
            ranges.push(terms.or_all(&classes));
        }
        for (i, &bit) in code.bits.iter().enumerate() {
            let with: Vec<Term> =
                classes.iter().enumerate().filter(|(index, _)| index >> i & 1 == 1).map(|(_, &t)| t).collect();
            bits.insert(bit, terms.or_all(&with));
        }
    }

    /// For each representative of a group the values of a member that it stands for.
    fn classes_of(&self, encoder: &mut Encoder<'_>, var: VarId, value: Term) -> Vec<Term> {
        let group = self.facts.classes.group(var);
        let terms = &mut encoder.terms;
        let Ty::Int(width) = self.facts.program.vars[var].ty else { unreachable!("only integers are indexed") };
        let wide = (group.width.min(64) as u16).max(width.into());
        let value = if group.signed { terms.sext(value, wide) } else { terms.zext(value, wide) };
        let constant = |terms: &mut Terms, v: u64| terms.constant(wide, v.into());
        match &group.class {
            Class::Ordered(constants) => encoding::ranges(group, constants)
                .into_iter()
                .map(|(first, last)| {
                    let (first, last) = (constant(terms, first), constant(terms, last));
                    let (from, to) = (terms.ule(first, value), terms.ule(value, last));
                    terms.and(from, to)
                })
                .collect(),
            Class::Enumerated(constants) => {
                let mut classes: Vec<Term> = Vec::new();
                for &named in constants {
                    let named = constant(terms, named);
                    classes.push(terms.eq(value, named));
                }
                let any = terms.or_all(&classes);
                classes.push(terms.not(any));
                classes
            }
            Class::Boolean | Class::Linear | Class::General => unreachable!("these have all their values or no index"),
        }
    }
}
