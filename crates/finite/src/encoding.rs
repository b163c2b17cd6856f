//! How many bits a variable takes, and what they mean.
//!
//! | group of the variable | encoding |
//! |---|---|
//! | takes known values only | index of the value |
//! | compared with constants by `==` (Enumerated) | index of the constant, one more for all other values |
//! | compared with constants by `<` (Ordered) | index of the constant or of the gap between two |
//! | other integers up to 64 bits | the bits themselves |
//! | pointers, floats, wider integers | none: not tracked |
//!
//! Exactness rests on the claims of [`robusto_cfa::analysis::classify`]: any value of a gap stands for all of them.

use robusto_cfa::analysis::classify::{Class, Group};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{IdxVec, Op, Ty, VarId, fold};
use robusto_diagram::VarIndex;

/// What the bits of a variable mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Index into representative values (bit patterns of the variable's own width). With `exact`, the variable holds
    /// no other value; without, a representative stands for all values that the program treats alike.
    Index {
        /// The representatives; `None` where the variable is too narrow for the value.
        values: Vec<Option<u64>>,
        /// Whether they are all the values.
        exact: bool,
    },
    /// The bits of the value, least significant first.
    Bits,
}

/// The encoding of one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// What the bits mean.
    pub meaning: Meaning,
    /// The current bits, least significant first.
    pub bits: Vec<VarIndex>,
    /// The next bits: as many, or none if no assignment to the variable reads a variable that it writes.
    pub next: Vec<VarIndex>,
}

/// The encoding of all variables.
#[derive(Debug)]
pub struct Encoding {
    codes: IdxVec<VarId, Option<Code>>,
    bits: u32,
}

/// Most values for which an index is built instead of plain bits: tables are linear in their number. Programs of
/// `systemc`, `ssh-simplified`, `ssh`, `product-lines`, `ntdrivers-simplified` and `eca-rers2012` have at most 11 in a
/// group; the bound is there for generated code with large tables.
const MAX_VALUES: usize = 4096;

impl Encoding {
    /// Chooses the encodings. Bits are numbered in the order of the clusters; the bits of one cluster's variables
    /// are interleaved, and so are current and next bits.
    pub fn new(facts: &Facts, clusters: &[Vec<VarId>]) -> Self {
        let mut codes = IdxVec::filled(None, facts.program.vars.len());
        let updated = reads_itself(facts);
        let mut next = 0;
        for cluster in clusters {
            let mut parts: Vec<(VarId, Meaning, usize, bool)> = Vec::new();
            for &var in cluster {
                if let Some((meaning, width)) = meaning(facts, var) {
                    let primed = meaning == Meaning::Bits || updated[var];
                    parts.push((var, meaning, width, primed));
                }
            }
            let widest = parts.iter().map(|p| p.2).max().unwrap_or(0);
            let mut bits: Vec<(Vec<VarIndex>, Vec<VarIndex>)> = vec![Default::default(); parts.len()];
            // Most significant bit on top: comparisons are decided there.
            for level in (0..widest).rev() {
                for (i, (_, _, width, primed)) in parts.iter().enumerate() {
                    if level < *width {
                        bits[i].0.push(VarIndex::new(next));
                        next += 1;
                        if *primed {
                            bits[i].1.push(VarIndex::new(next));
                            next += 1;
                        }
                    }
                }
            }
            for ((var, meaning, _, _), (mut bits, mut primed)) in parts.into_iter().zip(bits) {
                bits.reverse();
                primed.reverse();
                codes[var] = Some(Code { meaning, bits, next: primed });
            }
        }
        Self { codes, bits: next }
    }

    /// Number of bits in all.
    pub fn num_bits(&self) -> u32 {
        self.bits
    }

    /// The encoding of a variable; `None` if it is not tracked.
    pub fn get(&self, var: VarId) -> Option<&Code> {
        self.codes[var].as_ref()
    }

    /// Number of tracked variables.
    pub fn num_tracked(&self) -> usize {
        self.codes.iter().flatten().count()
    }

    /// The variables that take their full width.
    pub fn full_width(&self) -> impl Iterator<Item = VarId> {
        let plain = |code: &Option<Code>| matches!(code, Some(Code { meaning: Meaning::Bits, .. }));
        self.codes.enumerate().filter(move |(_, code)| plain(code)).map(|(var, _)| var)
    }
}

/// The variables that an assignment or call computes from their own value, or together with such a one.
fn reads_itself(facts: &Facts) -> IdxVec<VarId, bool> {
    let program = &facts.program;
    let mut found = IdxVec::filled(false, program.vars.len());
    for function in program.functions.iter() {
        for edge in function.edges().iter() {
            if let Op::Assign { var, value } = edge.op
                && facts.uses.vars(value).contains(&var)
            {
                found[var] = true;
            }
        }
    }
    // Recursive calls pass parameters on to themselves, and give locals a value at the same time.
    for (id, function) in program.functions.enumerate().filter(|(id, _)| facts.calls.is_recursive(*id)) {
        let live = facts.liveness.at(id, function.entry);
        for &var in function.params.iter().chain(function.locals.iter().filter(|&&local| live.contains(local))) {
            found[var] = true;
        }
        if let Some(result) = facts.results[id] {
            found[result] = true;
        }
    }
    found
}

/// Whether a variable is encoded by the bits of its value.
pub fn takes_full_width(facts: &Facts, var: VarId) -> bool {
    matches!(meaning(facts, var), Some((Meaning::Bits, _)))
}

fn meaning(facts: &Facts, var: VarId) -> Option<(Meaning, usize)> {
    let Ty::Int(width) = facts.program.vars[var].ty else { return None };
    if width > 64 {
        return None;
    }
    let group = facts.classes.group(var);
    let plain = Some((Meaning::Bits, usize::from(width)));
    let (values, exact) = match representatives(facts, group) {
        Some(found) if found.0.len() <= MAX_VALUES => found,
        _ => return plain,
    };
    let patterns: Vec<Option<u64>> = values.iter().map(|&v| group.pattern(v, width.into())).collect();
    let bits = usize::BITS - (patterns.len().max(2) - 1).leading_zeros();
    if bits as usize >= usize::from(width) {
        return plain;
    }
    Some((Meaning::Index { values: patterns, exact }, bits as usize))
}

/// Values that stand for all values of a group's members, at the group's width; and whether they are all the values.
/// Each is one that the narrowest member can hold which can hold any value of that class: a wider one can hold it too.
fn representatives(facts: &Facts, group: &Group) -> Option<(Vec<u64>, bool)> {
    if let Some(values) = &group.values {
        return Some((values.clone(), true));
    }
    let inputs = group.havocked || group.loaded;
    match &group.class {
        Class::Boolean => Some((vec![0, 1], true)),
        Class::Enumerated(_) | Class::Ordered(_) if inputs && group.compared => None,
        Class::Enumerated(constants) => {
            let mut values = constants.clone();
            let is_other = |v: &u64| constants.binary_search(v).is_err();
            let other = holdable(facts, group).find_map(|(low, high)| (low..=high).find(is_other));
            values.extend(other);
            Some((values, other.is_none()))
        }
        Class::Ordered(constants) => {
            let ranges = ranges(group, constants);
            let held = |&(from, to): &(u64, u64)| {
                let common = |(low, high): (u64, u64)| (low.max(from) <= high.min(to)).then_some(low.max(from));
                holdable(facts, group).find_map(common).unwrap_or(from)
            };
            Some((ranges.iter().map(held).collect(), false))
        }
        Class::Linear | Class::General => None,
    }
}

/// The constants of an ordered group and the gaps between them, ascending: first and last value of each.
pub fn ranges(group: &Group, constants: &[u64]) -> Vec<(u64, u64)> {
    let mut ranges = Vec::with_capacity(2 * constants.len() + 1);
    let mut from = Some(0u64);
    for &c in constants {
        if let Some(low) = from.filter(|&low| low < c) {
            ranges.push((low, c - 1));
        }
        ranges.push((c, c));
        from = c.checked_add(1);
    }
    let last = fold::mask(group.width.min(64), u64::MAX);
    if let Some(low) = from.filter(|&low| low <= last) {
        ranges.push((low, last));
    }
    ranges
}

/// The values that members can hold, at the group's width, as ranges: those of the narrowest member first.
fn holdable(facts: &Facts, group: &Group) -> impl Iterator<Item = (u64, u64)> + use<> {
    let model = facts.program.model;
    let mut widths: Vec<u32> = group.vars.iter().map(|&v| facts.program.vars[v].ty.bits(model).min(64)).collect();
    widths.sort_unstable();
    widths.dedup();
    let (whole, signed) = (group.width.min(64), group.signed);
    let last = fold::mask(whole, u64::MAX);
    widths.into_iter().flat_map(move |width| {
        let half = (1u64 << (width - 1)) - 1;
        let narrow = fold::mask(width, u64::MAX).min(last);
        if signed && width < whole { [(0, half), (last - half, last)] } else { [(0, narrow), (0, narrow)] }
    })
}
