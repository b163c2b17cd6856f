//! From the collected facts to groups with classes.

use super::collect::{Event, Facts, Level};
use super::{Class, Classes, Group, GroupId, extend};
use crate::analysis::callgraph::CallGraph;
use crate::ir::{CastOp, Idx, IdxVec, Program, Ty, VarId, fold};

/// What the events of one group add up to.
struct Sum {
    level: Level,
    vars: Vec<VarId>,
    assigned: Vec<(u64, u32)>,
    compared: Vec<(u64, u32)>,
    casts: Vec<(CastOp, u32, u32)>,
    width: u32,
    havocked: bool,
    loaded: bool,
    computed: bool,
    members_compared: bool,
    logic: bool,
}

impl Sum {
    fn new() -> Self {
        Self {
            level: Level::Equality,
            vars: Vec::new(),
            assigned: Vec::new(),
            compared: Vec::new(),
            casts: Vec::new(),
            width: 0,
            havocked: false,
            loaded: false,
            computed: false,
            members_compared: false,
            logic: false,
        }
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Assigned(bits, width) => self.assigned.push((bits, width)),
            Event::Compared(bits, width) => self.compared.push((bits, width)),
            Event::Cast(op, from, to) => self.casts.push((op, from, to)),
            Event::ComparedMembers => self.members_compared = true,
            Event::Havocked => self.havocked = true,
            Event::Loaded => self.loaded = true,
            Event::Computed => self.computed = true,
            Event::Logic => self.logic = true,
        }
        if let Event::Assigned(_, width) | Event::Compared(_, width) | Event::Cast(_, _, width) = event {
            self.width = self.width.max(width);
        }
    }
}

pub(super) fn finish(program: &Program, calls: &CallGraph, mut facts: Facts) -> Classes {
    let slots = facts.parent.len();
    let mut sums: IdxVec<GroupId, Sum> = IdxVec::new();
    let mut sum_of: Vec<Option<GroupId>> = vec![None; slots];
    for slot in 0..slots {
        let root = facts.find(slot as u32) as usize;
        let id = *sum_of[root].get_or_insert_with(|| sums.push(Sum::new()));
        sum_of[slot] = Some(id);
        let sum = &mut sums[id];
        sum.level = sum.level.max(facts.level[slot]);
        if slot < program.vars.len() {
            let var = VarId::new(slot);
            let v = &program.vars[var];
            sum.vars.push(var);
            sum.width = sum.width.max(v.ty.bits(program.model));
            let runs = v.kind.owner().is_none_or(|f| calls.is_reachable(f));
            if !runs || !matches!(v.ty, Ty::Int(..=64)) {
                sum.level = Level::General;
            }
        }
    }
    for (slot, event) in facts.events {
        sums[sum_of[slot as usize].expect("every slot has a group")].add(event);
    }
    let mut classes = Classes { groups: IdxVec::new(), group_of: IdxVec::filled(GroupId::new(0), program.vars.len()) };
    // Groups without variables are results that nobody uses.
    for sum in sums.iter_mut().filter(|sum| !sum.vars.is_empty()) {
        let truth = sum.vars.iter().all(|&v| program.vars[v].ty == Ty::BOOL);
        let group = group_of(sum, truth);
        let id = GroupId::new(classes.groups.len());
        group.vars.iter().for_each(|&var| classes.group_of[var] = id);
        classes.groups.push(group);
    }
    classes
}

fn group_of(sum: &mut Sum, truth: bool) -> Group {
    // Zero-extension is the rule as soon as it occurs.
    let signed = !sum.casts.iter().any(|c| c.0 == CastOp::ZExt) && sum.casts.iter().any(|c| c.0 == CastOp::SExt);
    let mut group = Group {
        class: Class::General,
        vars: std::mem::take(&mut sum.vars),
        width: sum.width,
        signed,
        havocked: sum.havocked,
        loaded: sum.loaded,
        compared: sum.members_compared,
        values: None,
    };
    if truth {
        group.class = Class::Boolean;
        group.values = Some(vec![0, 1]);
        return group;
    }
    if group.width > 64 {
        return group;
    }
    let canonical = |constants: &[(u64, u32)]| {
        let mut all: Vec<u64> = constants.iter().map(|&(bits, width)| extend(bits, width, sum.width, signed)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let assigned = canonical(&sum.assigned);
    sum.assigned.extend_from_slice(&sum.compared);
    let constants = canonical(&sum.assigned);
    let closed = !sum.havocked && !sum.loaded && !sum.computed;
    let preserved = sum.casts.iter().all(|&(op, from, to)| preserves(&group, &constants, closed, op, from, to));
    let level = if preserved { sum.level } else { sum.level.max(Level::Linear) };
    let bits = |constants: &[u64]| constants.iter().all(|&c| c <= 1);
    let boolean = closed && bits(&constants) && level == Level::Equality;
    if closed && preserved && (!sum.logic || bits(&assigned)) {
        group.values = Some(assigned.clone());
    }
    group.class = match level {
        _ if boolean && !assigned.is_empty() => Class::Boolean,
        // `&` and `|` of anything but truth values.
        _ if sum.logic => Class::General,
        Level::Equality => Class::Enumerated(constants),
        Level::Order => Class::Ordered(constants),
        Level::Linear => Class::Linear,
        Level::General => Class::General,
    };
    group
}

/// Whether a cast maps each constant to itself, in the group's way to write them, and nothing else to a constant.
fn preserves(group: &Group, constants: &[u64], closed: bool, op: CastOp, from: u32, to: u32) -> bool {
    match op {
        CastOp::Trunc => closed && constants.iter().all(|&c| group.pattern(c, to).is_some()),
        CastOp::SExt if !group.signed => {
            let negative = |bits: u64| fold::signed(from, bits) < 0;
            closed && constants.iter().all(|&c| group.pattern(c, from).is_none_or(|bits| !negative(bits)))
        }
        _ => true,
    }
}
