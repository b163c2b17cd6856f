//! Local objects whose block ends before their function does.
//!
//! The lowering marks where a block ends ([`HavocSource::Ended`]). An object that a pointer may still lead to then becomes
//! one of the stack that is allocated anew each time: the old one ends, and the block has another one when it is entered
//! again. So a pointer to the old one dangles, as C says, also in the next iteration of a loop. Other marks mean nothing.
//!
//! This holds under every property: where accesses are not asked about, an execution ends at its first invalid one.

use super::Building;
use robusto_cfa::analysis::points_to::{Base, PointsTo, Targets};
use robusto_cfa::analysis::uses::{Uses, for_each_root, map_roots};
use robusto_cfa::ir::{
    AllocKind, Expr, ExprId, FuncId, Function, HavocSource, LocId, ObjId, Op, Program, SrcPos, Ty, Var, VarId, VarKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Makes the marked objects of all functions end where their blocks do.
pub(super) fn instrument(program: &mut Program) {
    let marked: BTreeSet<ObjId> =
        program.functions.iter().flat_map(|f| f.edges().iter().filter_map(|e| ended(program, &e.op))).collect();
    let dangling = if marked.is_empty() { BTreeSet::new() } else { dangling(program, &marked) };
    for id in program.functions.ids() {
        let ends = |op: &Op| matches!(op, Op::HavocMem { source, .. } | Op::Havoc { source, .. } if *source == HavocSource::Ended);
        if program.functions[id].edges().iter().any(|e| ends(&e.op)) {
            rewrite(program, id, &dangling);
        }
    }
}

/// The object that an operation ends.
fn ended(program: &Program, op: &Op) -> Option<ObjId> {
    match *op {
        Op::HavocMem { addr, source: HavocSource::Ended, .. } => match program.exprs.get(addr) {
            Expr::ObjAddr(object) => Some(object),
            _ => None,
        },
        _ => None,
    }
}

/// The marked objects that memory, a global, or a variable of their function may point to. What else points to them ends
/// with a call inside of the block.
fn dangling(program: &Program, marked: &BTreeSet<ObjId>) -> BTreeSet<ObjId> {
    let points_to = PointsTo::of(program, &Uses::of(program));
    let mut found = BTreeSet::new();
    let mut add = |targets: Targets<'_>, owner: Option<FuncId>| {
        for base in targets.bases() {
            if let Base::Object(object) = base
                && marked.contains(&object)
                && owner.is_none_or(|owner| program.functions[owner].objects.contains(&object))
            {
                found.insert(object);
            }
        }
    };
    for (var, info) in program.vars.enumerate() {
        add(points_to.of_var(var), info.kind.owner());
    }
    let objects = program.objects.ids().map(Base::Object).chain(points_to.sites().ids().map(Base::Site));
    for base in objects.chain([Base::Unknown]) {
        for (_, held) in points_to.held(base) {
            add(held, None);
        }
    }
    found
}

fn rewrite(program: &mut Program, id: FuncId, dangling: &BTreeSet<ObjId>) {
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let mut building = Building { locations: header.num_locs(), edges: header.take_edges() };
    let own: Vec<ObjId> = header.objects.iter().copied().filter(|object| dangling.contains(object)).collect();
    let mut addresses: BTreeMap<ObjId, VarId> = BTreeMap::new();
    for &object in &own {
        let (name, pos) = (program.objects[object].name.clone(), program.objects[object].pos);
        let kind = VarKind::Temp(id);
        let var = program.vars.push(Var { name, ty: Ty::Ptr, signed: false, kind, pos });
        program.exprs.declare(var, Ty::Ptr);
        header.locals.push(var);
        addresses.insert(object, var);
    }
    let alloc = |program: &mut Program, object: ObjId| {
        let size = program.exprs.size(program.objects[object].size);
        Op::Alloc { var: addresses[&object], size, kind: AllocKind::Stack, zeroed: false }
    };
    for index in 0..building.edges.len() {
        let edge = building.edges[index].clone();
        match edge.op {
            Op::Havoc { source: HavocSource::Ended, .. } => building.edges[index].op = Op::Skip,
            Op::HavocMem { source: HavocSource::Ended, .. } => {
                building.edges[index].op = Op::Skip;
                if let Some(object) = ended(program, &edge.op).filter(|object| addresses.contains_key(object)) {
                    let between = building.location();
                    let ptr = program.exprs.var(addresses[&object]);
                    let again = alloc(program, object);
                    building.edges[index].op = Op::Free { ptr, kind: AllocKind::Stack };
                    building.edges[index].dst = between;
                    building.edge(between, edge.dst, again, edge.pos);
                }
            }
            _ => {}
        }
    }
    replace(program, &mut building, &addresses);
    for &object in &own {
        let (first, op): (LocId, Op) = (building.location(), alloc(program, object));
        building.edge(first, header.entry, op, program.objects[object].pos);
        header.entry = first;
    }
    program.functions[id] = robusto_cfa::ir::rebuild(header, building.locations, building.edges);
}

/// Replaces addresses of objects by variables.
fn replace(program: &mut Program, building: &mut Building, addresses: &BTreeMap<ObjId, VarId>) {
    let mut used: BTreeSet<ExprId> = BTreeSet::new();
    let mut todo = Vec::new();
    for edge in &building.edges {
        for_each_root(&edge.op, |root| todo.push(root));
    }
    while let Some(e) = todo.pop() {
        if used.insert(e) {
            todo.extend(program.exprs.operands(e));
        }
    }
    // Operands come before what uses them.
    let mut new: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    for e in used {
        let exprs = &mut program.exprs;
        let of = |x: ExprId| new[&x];
        let image = match exprs.get(e) {
            Expr::ObjAddr(object) => match addresses.get(&object) {
                Some(&var) => exprs.var(var),
                None => e,
            },
            leaf @ (Expr::Const(..) | Expr::Var(_) | Expr::FuncAddr(_)) => exprs.intern(leaf),
            Expr::Load(ty, x) => exprs.intern(Expr::Load(ty, of(x))),
            Expr::Unary(op, x) => exprs.intern(Expr::Unary(op, of(x))),
            Expr::Binary(op, x, y) => exprs.intern(Expr::Binary(op, of(x), of(y))),
            Expr::Cast(op, ty, x) => exprs.intern(Expr::Cast(op, ty, of(x))),
            Expr::Holds(claim, x, y) => exprs.intern(Expr::Holds(claim, of(x), of(y))),
        };
        new.insert(e, image);
    }
    for edge in &mut building.edges {
        map_roots(&mut edge.op, |root| new.get(&root).copied().unwrap_or(root));
    }
}
