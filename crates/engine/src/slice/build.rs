//! The program that is left: edges that stay, and the shortest ways between them.

use super::dependence::Needed;
use super::lift::{Lifted, Rewrite};
use super::{Bytes, Fresh, Origin, Slice};
use robusto_analyses::symbolic::{RegionId, Regions};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::analysis::uses::map_roots;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{
    Callee, Edge, EdgeId, Expr, FuncId, Function, HavocSource, Idx as _, IdxVec, LocId, Op, Program, Ty, VarId,
};
use rustc_hash::FxHashMap;

/// Where control is when it has passed all that does not stay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Anchor {
    /// At a location with an edge that stays.
    At(LocId),
    /// Before the return.
    Leaving,
    /// At the exit.
    Exit,
    /// Behind a target.
    End(EdgeId),
    /// Between the steps that an edge has become, before this one.
    Within(EdgeId, usize),
    /// Where nothing comes to a target or returns.
    Dead,
}

/// Builds the slice; `None` if an edge that stays lies behind a branch that does not, which no closure leaves.
pub(super) fn build(facts: &Facts, regions: &Regions, lifted: &Lifted, needed: &Needed) -> Option<Slice> {
    let mut program = facts.program.clone();
    let mut rewrite = Rewrite::new(facts, regions, lifted, &needed.regions, &mut program);
    let mut edges = IdxVec::new();
    let mut places = IdxVec::new();
    let mut fresh = FxHashMap::default();
    for id in facts.program.functions.ids() {
        let (function, of_edges, of_places) = match needed.functions[id] {
            true => sliced(
                &mut Cut { facts, regions, needed, program: &mut program, rewrite: &mut rewrite },
                id,
                &mut fresh,
            )?,
            false => empty(facts, &mut program, id),
        };
        program.functions[id] = function;
        edges.push(of_edges);
        places.push(of_places);
    }
    robusto_cfa::verify::assert_valid(&program, "slicing");
    let (mut vars, regions) = (needed.vars.clone(), needed.regions.clone());
    while vars.len() < program.vars.len() {
        vars.push(true);
    }
    let mut lifted: Vec<(RegionId, VarId)> = rewrite.vars.into_iter().collect();
    lifted.sort_unstable();
    let allocations = program.functions.enumerate().flat_map(|(id, function)| {
        let all = function.edges().iter().zip(&edges[id]);
        all.filter(|(edge, _)| matches!(edge.op, Op::Alloc { .. })).map(move |(_, &from)| (id, from))
    });
    let allocations = allocations.collect();
    Some(Slice { program, origin: Origin { edges, places, fresh, allocations }, vars, regions, lifted })
}

/// What a function is cut from, and with.
struct Cut<'c, 'f> {
    facts: &'f Facts,
    regions: &'f Regions,
    needed: &'c Needed,
    program: &'c mut Program,
    rewrite: &'c mut Rewrite<'f>,
}

/// An edge of the slice.
struct Item {
    src: Anchor,
    dst: Anchor,
    op: Op,
    /// The edge of the program.
    number: EdgeId,
    /// What it sets of a new object.
    sets: Option<Bytes>,
}

/// A function's edges as the original has them, and its locations here.
type Parts = (Function, Vec<EdgeId>, IdxVec<LocId, Option<LocId>>);

/// A function that does nothing. Nothing of what it does, and nothing that it returns, is needed.
fn empty(facts: &Facts, program: &mut Program, id: FuncId) -> Parts {
    let old = &facts.program.functions[id];
    let value = facts.results[id].map(|var| program.exprs.intern(Expr::Var(var)));
    let mut header = headed(old);
    (header.entry, header.exit) = (LocId::new(0), LocId::new(1));
    let edge = Edge { src: header.entry, dst: header.exit, op: Op::Return { value }, pos: old.pos };
    let places = IdxVec::filled(None, old.num_locs());
    (Function::with_edges(header, 2, vec![edge]), vec![EdgeId::new(0)], places)
}

/// All of a function but edges and labels.
fn headed(old: &Function) -> Function {
    let mut header = Function::header(&old.name, old.pos);
    header.params.clone_from(&old.params);
    header.locals.clone_from(&old.locals);
    header.objects.clone_from(&old.objects);
    (header.ret, header.external, header.handed_out) = (old.ret, old.external, old.handed_out);
    header
}

/// A function with the edges that stay. The steps that set what a new object holds are listed in `fresh`.
fn sliced(cut: &mut Cut<'_, '_>, id: FuncId, fresh: &mut Fresh) -> Option<Parts> {
    let (facts, needed) = (cut.facts, cut.needed);
    let old = &facts.program.functions[id];
    let stays = &needed.edges[id];
    let anchors: IdxVec<LocId, Anchor> =
        old.locs().map(|loc| anchor(old, needed, id, loc)).collect::<Option<Vec<_>>>()?.into();
    let mut list: Vec<Item> = Vec::new();
    for (number, edge) in old.edges().enumerate().filter(|(number, _)| stays[*number]) {
        let dst = match edge.op {
            Op::Error(_) | Op::Unsupported(_) => Anchor::End(number),
            _ => anchors[edge.dst],
        };
        let steps = steps(cut, id, number);
        let last = steps.len() - 1;
        for (at, (op, sets)) in steps.into_iter().enumerate() {
            let src = if at == 0 { Anchor::At(edge.src) } else { Anchor::Within(number, at) };
            let dst = if at == last { dst } else { Anchor::Within(number, at + 1) };
            list.push(Item { src, dst, op, number, sets });
        }
    }
    let returns = old.edges().enumerate().find(|(_, edge)| matches!(edge.op, Op::Return { .. }));
    if let Some((number, edge)) = returns {
        let (src, dst) = (Anchor::Leaving, Anchor::Exit);
        list.push(Item { src, dst, op: edge.op.clone(), number, sets: None });
    }
    let numbers = numbered(&list, anchors[old.entry]);
    let locations = numbers.len();
    let mut items: Vec<(Edge, EdgeId, Option<Bytes>)> = list
        .into_iter()
        .filter_map(|Item { src, dst, op, number, sets }| {
            let (src, dst) = (*numbers.get(&src)?, *numbers.get(&dst)?);
            Some((Edge { src, dst, op, pos: old.edge(number).pos }, number, sets))
        })
        .collect();
    // As in `with_edges`.
    items.sort_by_key(|(e, ..)| (e.src, matches!(e.op, Op::Assume { truth: false, .. })));
    let mut edges = Vec::with_capacity(items.len());
    let mut origins = Vec::with_capacity(items.len());
    for (edge, number, sets) in items {
        if let Some(bytes) = sets {
            fresh.insert((id, EdgeId::new(edges.len())), bytes);
        }
        edges.push(edge);
        origins.push(number);
    }
    let mut header = headed(old);
    header.entry = numbers[&anchors[old.entry]];
    header.exit = numbers[&Anchor::Exit];
    header.labels = old.labels.clone();
    header.labels.retain_mut(|label| match (anchors[label.loc], numbers.get(&anchors[label.loc])) {
        (Anchor::At(loc), Some(&to)) if loc == label.loc => {
            label.loc = to;
            true
        }
        _ => false,
    });
    let places =
        anchors.iter().map(|anchor| numbers.get(anchor).copied().filter(|_| *anchor != Anchor::Dead)).collect();
    Some((Function::with_edges(header, locations, edges), origins, places))
}

/// Where control comes from a location without passing an edge that stays.
fn anchor(old: &Function, needed: &Needed, id: FuncId, start: LocId) -> Option<Anchor> {
    let control = needed.control[id].as_ref()?;
    let mut loc = start;
    loop {
        if loc == old.exit {
            return Some(if start == old.exit { Anchor::Exit } else { Anchor::Leaving });
        }
        if !control.is_live(loc) {
            return Some(Anchor::Dead);
        }
        if old.out(loc).any(|(edge, _)| needed.edges[id][edge]) {
            return Some(Anchor::At(loc));
        }
        loc = control.next(loc)?;
    }
}

/// What an edge that stays becomes: the same, with variables for memory that is lifted, and without results and arguments that are
/// not needed. An allocation sets the variables of the new object, and may not be needed itself.
fn steps(cut: &mut Cut<'_, '_>, id: FuncId, number: EdgeId) -> Vec<(Op, Option<Bytes>)> {
    let Cut { facts, needed, program, rewrite, regions } = cut;
    let mut op = facts.program.functions[id].edge(number).op.clone();
    match &mut op {
        Op::Call { result, args, callee } => {
            let site = facts.calls.site(id, number).expect("the call graph has every call");
            let used = |position: usize| {
                let param = |f: &FuncId| facts.program.functions[*f].params.get(position).copied();
                site.callees.iter().filter_map(param).any(|param: VarId| needed.vars[param])
            };
            for (position, arg) in args.iter_mut().enumerate() {
                *arg = match program.exprs.ty(*arg) {
                    _ if used(position) => rewrite.expr(&mut program.exprs, *arg),
                    // There is no constant that wide.
                    Ty::Int(65..) => *arg,
                    ty => program.exprs.intern(Expr::Const(ty, 0)),
                };
            }
            *result = result.filter(|&var| needed.vars[var]);
            if let Callee::Indirect(pointer, _) = callee {
                *pointer = rewrite.expr(&mut program.exprs, *pointer);
            }
            vec![(op, None)]
        }
        &mut Op::Store { addr, value } => {
            let new = rewrite.expr(&mut program.exprs, value);
            let op = match rewrite.access(addr, program.exprs.ty(value)) {
                Some(var) => Op::Assign { var, value: new },
                None => Op::Store { addr: rewrite.expr(&mut program.exprs, addr), value: new },
            };
            vec![(op, None)]
        }
        &mut Op::Alloc { var, zeroed, .. } => {
            let site = facts.points_to.site_at(id, number);
            let mut parts: Vec<RegionId> = regions.of_base(Base::Site(site)).iter().map(|part| part.region).collect();
            parts.sort_unstable();
            parts.dedup();
            let (lifted, others): (Vec<RegionId>, Vec<RegionId>) = parts
                .into_iter()
                .filter(|&part| needed.regions[part])
                .partition(|part| rewrite.vars.contains_key(part));
            let mut steps = Vec::new();
            if needed.vars[var] || needed.allocations || !others.is_empty() {
                map_roots(&mut op, |root| rewrite.expr(&mut program.exprs, root));
                steps.push((op, None));
            }
            for region in lifted {
                let var = rewrite.vars[&region];
                let ty = program.vars[var].ty;
                steps.push(match zeroed {
                    true => (Op::Assign { var, value: program.exprs.intern(Expr::Const(ty, 0)) }, None),
                    false => {
                        let offset = regions.regions[region].only.map_or(0, |(_, offset)| offset);
                        let bytes = Bytes { offset, size: ty.size(program.model) };
                        (Op::Havoc { var, source: HavocSource::Uninit }, Some(bytes))
                    }
                });
            }
            if steps.is_empty() {
                steps.push((Op::Skip, None));
            }
            steps
        }
        op => {
            map_roots(op, |root| rewrite.expr(&mut program.exprs, root));
            vec![(op.clone(), None)]
        }
    }
}

/// Numbers what is reached from the entry, in reverse post-order, the exit last.
fn numbered(list: &[Item], entry: Anchor) -> FxHashMap<Anchor, LocId> {
    let mut out: FxHashMap<Anchor, Vec<Anchor>> = FxHashMap::default();
    for Item { src, dst, .. } in list {
        out.entry(*src).or_default().push(*dst);
    }
    let mut seen: FxHashMap<Anchor, LocId> = FxHashMap::default();
    let mut post = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen.insert(entry, LocId::new(0));
    while let Some((at, child)) = stack.pop() {
        match out.get(&at).and_then(|to| to.get(child)) {
            Some(&to) => {
                stack.push((at, child + 1));
                if seen.insert(to, LocId::new(0)).is_none() {
                    stack.push((to, 0));
                }
            }
            None => post.push(at),
        }
    }
    let mut count = 0;
    for &at in post.iter().rev().filter(|&&at| at != Anchor::Exit) {
        seen.insert(at, LocId::new(count));
        count += 1;
    }
    seen.insert(Anchor::Exit, LocId::new(count));
    seen
}
