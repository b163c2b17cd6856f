//! Sets as formulas for people: `a == 0 && in != 1 || a == 3 && in == 1`.
//!
//! A set is taken apart by one variable after the other, in the order of the program: the values of a variable with the same
//! rest of the set stand together, and each such group is a disjunct. So a set of values that depends on no other variable is
//! said once. Bits of a full-width variable are followed to ranges.

use super::{Bdd, full};
use robusto_cfa::analysis::classify::Class;
use robusto_cfa::ir::{Ty, VarId, fold};
use robusto_diagram::{Bdd as Node, VarIndex};
use robusto_finite::encoding::{self, Code, Meaning};
use robusto_limits::Stopped;

/// Most disjuncts that a person looks at.
const MAX_DISJUNCTS: usize = 12;

/// Most ranges of one variable.
const MAX_RANGES: usize = 8;

/// Values of a variable, ascending and not adjacent, as bit patterns of its width.
type Ranges = Vec<(u64, u64)>;

impl Bdd<'_> {
    /// A set as a formula; its size, where the formula would be too long.
    pub fn show(&self, set: &Node) -> Result<String, Stopped> {
        if let Some(constant) = self.diagrams().as_constant(set) {
            return Ok(constant.to_string());
        }
        let mut disjuncts = Vec::new();
        if self.take_apart(set, &mut Vec::new(), &mut disjuncts)?.is_none() {
            return Ok(format!("a set with {} nodes", self.diagrams().node_count(set)));
        }
        Ok(match disjuncts.is_empty() {
            true => "false".to_owned(),
            false => disjuncts.join(" || "),
        })
    }

    /// Adds the disjuncts of a set behind what is said of earlier variables; `None` if there are too many.
    fn take_apart(
        &self,
        set: &Node,
        said: &mut Vec<String>,
        disjuncts: &mut Vec<String>,
    ) -> Result<Option<()>, Stopped> {
        let support = self.diagrams().support(set);
        let vars = &self.facts.program.vars;
        let next = vars.ids().find_map(|var| {
            let code = self.encoding().get(var)?;
            code.bits.iter().any(|bit| support.contains(bit)).then_some((var, code))
        });
        let Some((var, code)) = next else {
            if !self.diagrams().is_false(set) {
                let all = said.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>();
                disjuncts.push(if all.is_empty() { "true".to_owned() } else { all.join(" && ") });
            }
            return Ok((disjuncts.len() <= MAX_DISJUNCTS).then_some(()));
        };
        let Some(groups) = self.groups(set, var, code)? else { return Ok(None) };
        for (text, rest) in groups {
            said.push(text);
            let done = self.take_apart(&rest, said, disjuncts)?;
            said.pop();
            if done.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The groups of values of a variable with the same rest of a set, and that rest; `None` if there are too many.
    fn groups(&self, set: &Node, var: VarId, code: &Code) -> Result<Option<Vec<(String, Node)>>, Stopped> {
        let mut groups: Vec<(Ranges, Node)> = Vec::new();
        let mut add = |from: u64, to: u64, rest: Node| -> bool {
            match groups.iter_mut().find(|(_, known)| *known == rest) {
                Some((ranges, _)) => match ranges.last_mut() {
                    Some(last) if last.1.checked_add(1) == Some(from) => last.1 = to,
                    _ => ranges.push((from, to)),
                },
                None => groups.push((vec![(from, to)], rest)),
            }
            groups.len() <= MAX_DISJUNCTS && groups.iter().all(|(ranges, _)| ranges.len() <= MAX_RANGES)
        };
        let few = match &code.meaning {
            Meaning::Bits => self.follow(set, code.bits.len(), &code.bits, 0, &mut add)?,
            Meaning::Index { values, .. } => {
                let mut few = true;
                for (index, _) in values.iter().enumerate().filter(|(_, value)| value.is_some()) {
                    let literals: Vec<(VarIndex, bool)> =
                        code.bits.iter().enumerate().map(|(i, &bit)| (bit, index >> i & 1 == 1)).collect();
                    let here = self.diagrams().literals(&literals).map_err(full)?;
                    let rest = self.diagrams().cofactor(set, &here).map_err(full)?;
                    few &= add(index as u64, index as u64, rest);
                }
                few
            }
        };
        if !few {
            return Ok(None);
        }
        let whole = match &code.meaning {
            Meaning::Bits => fold::mask(code.bits.len() as u32, u64::MAX),
            Meaning::Index { values, .. } => values.len() as u64 - 1,
        };
        let texts = groups.into_iter().filter(|(_, rest)| !self.diagrams().is_false(rest));
        Ok(Some(texts.map(|(ranges, rest)| (self.text(var, code, &ranges, whole), rest)).collect()))
    }

    /// The rests of a set for the values of a full-width variable, ascending; whether all could be added.
    fn follow(
        &self,
        set: &Node,
        left: usize,
        bits: &[VarIndex],
        prefix: u64,
        add: &mut impl FnMut(u64, u64, Node) -> bool,
    ) -> Result<bool, Stopped> {
        let support = self.diagrams().support(set);
        if !bits[..left].iter().any(|bit| support.contains(bit)) {
            let last = if left == 0 { prefix } else { prefix | fold::mask(left as u32, u64::MAX) };
            return Ok(add(prefix, last, set.clone()));
        }
        let bit = left - 1;
        for value in [false, true] {
            let literal = self.diagrams().literal(bits[bit], value).map_err(full)?;
            let half = self.diagrams().cofactor(set, &literal).map_err(full)?;
            if !self.follow(&half, bit, bits, prefix | u64::from(value) << bit, add)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// That a variable has one of some values, given by indices or bits; empty if it can have all.
    fn text(&self, var: VarId, code: &Code, ranges: &[(u64, u64)], last: u64) -> String {
        if ranges == [(0, last)] {
            return String::new();
        }
        let info = &self.facts.program.vars[var];
        let name = &*info.name;
        let group = self.facts.classes.group(var);
        let number = |bits: u64, width: u32, signed: bool| match signed {
            true => fold::signed(width, bits).to_string(),
            false => bits.to_string(),
        };
        let Ty::Int(own) = info.ty else { unreachable!("only integers have bits") };
        let between = |from: u64, to: u64, (least, most): (u64, u64), width: u32, signed: bool| {
            let shown = |bits| number(bits, width, signed);
            match () {
                () if from == to => format!("{name} == {}", shown(from)),
                () if from == least => format!("{name} <= {}", shown(to)),
                () if to == most => format!("{name} >= {}", shown(from)),
                () => format!("{} <= {name} && {name} <= {}", shown(from), shown(to)),
            }
        };
        let either = |parts: Vec<String>| match parts.len() {
            1 => parts.into_iter().next().unwrap_or_default(),
            _ => format!("({})", parts.join(" || ")),
        };
        let indices = || ranges.iter().flat_map(|&(from, to)| from..=to).map(|index| index as usize);
        match (&code.meaning, &group.class) {
            (Meaning::Bits, _) => {
                let top = fold::mask(own.into(), u64::MAX);
                either(ranges.iter().map(|&(from, to)| between(from, to, (0, top), own.into(), false)).collect())
            }
            (Meaning::Index { exact: false, .. }, Class::Enumerated(constants)) => {
                let shown = |&value: &u64| number(value, group.width.min(64), info.signed);
                // The last index stands for all values that are no constant.
                if indices().any(|index| index == constants.len()) {
                    let missing = constants.iter().enumerate().filter(|(i, _)| indices().all(|index| index != *i));
                    missing.map(|(_, value)| format!("{name} != {}", shown(value))).collect::<Vec<_>>().join(" && ")
                } else {
                    either(indices().map(|index| format!("{name} == {}", shown(&constants[index]))).collect())
                }
            }
            (Meaning::Index { exact: false, .. }, Class::Ordered(constants)) => {
                let gaps = encoding::ranges(group, constants);
                let ends = (0, fold::mask(group.width.min(64), u64::MAX));
                let part = |&(from, to): &(u64, u64)| {
                    between(gaps[from as usize].0, gaps[to as usize].1, ends, group.width.min(64), false)
                };
                either(ranges.iter().map(part).collect())
            }
            (Meaning::Index { values, .. }, _) => {
                let shown = |index: usize| values[index].map(|value| number(value, own.into(), info.signed));
                let equal = |value: String| format!("{name} == {value}");
                either(indices().filter_map(shown).map(equal).collect())
            }
        }
    }
}
