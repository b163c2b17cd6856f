//! Numbers of the program as addresses: `*(volatile int *)0x40001000`, or an integer from outside that is cast to a pointer.
//!
//! Nothing is known of the memory there. Engines would end the execution at such an access, as at any to memory that is not there,
//! and what comes behind it would hold for nothing; registers of devices are there, though. So the access is not modelled: before it
//! stands a step that makes the answer unknown, if it can be reached. A null pointer still ends the execution.
//!
//! A pointer counts as a number if points-to analysis knows no object, function or memory outside for it, and one of these holds:
//! the expression casts an integer to a pointer or is a constant; it is a variable that was given such a pointer (in any function, whatever
//! the order); it is read from memory, and such a pointer was stored somewhere. What else has no object is a pointer from memory
//! that was never set, which C leaves undefined.

use super::Builder;
use robusto_cfa::analysis::points_to::{Base, PointsTo};
use robusto_cfa::analysis::uses::{Uses, for_each_root};
use robusto_cfa::ir::{BinOp, Callee, CastOp, Expr, ExprId, FuncId, LocId, Op, Program, SrcPos, Ty, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Puts a step that is not modelled before each access at a number.
pub(super) fn guard(program: &mut Program) {
    let exprs = &program.exprs;
    let is_origin = |id: ExprId| match exprs.get(id) {
        Expr::Const(Ty::Ptr, number) => number != 0,
        Expr::Cast(CastOp::IntToPtr, ..) => true,
        _ => false,
    };
    if !exprs.ids().any(is_origin) {
        return;
    }
    let uses = Uses::of(program);
    let points_to = PointsTo::of(program, &uses);
    let numbers = Numbers::of(program, &points_to, &uses);
    let found: Vec<(FuncId, Guards)> =
        program.functions.ids().map(|id| (id, numbers.guards(id))).filter(|(_, guards)| !guards.is_empty()).collect();
    for (id, guards) in found {
        super::rebuild(program, id, |builder, edges| {
            let moved: BTreeMap<LocId, LocId> =
                guards.into_iter().map(|(at, (pos, addresses))| (at, builder.guards(at, pos, addresses))).collect();
            for mut edge in edges {
                edge.src = moved.get(&edge.src).copied().unwrap_or(edge.src);
                builder.edges.push(edge);
            }
        });
    }
    robusto_cfa::verify::assert_valid(program, "guarding accesses at numbers");
}

/// Where there are accesses at numbers: the addresses, each once, and the place in the source.
type Guards = BTreeMap<LocId, (SrcPos, Vec<ExprId>)>;

impl Builder<'_> {
    /// Steps that are not modelled, unless the addresses are null; where it goes on.
    fn guards(&mut self, mut at: LocId, pos: SrcPos, addresses: Vec<ExprId>) -> LocId {
        for address in addresses {
            let null = self.program.exprs.null();
            let is_null = self.program.exprs.binary(BinOp::Eq, address, null);
            let (next, end) = (self.location(), self.location());
            let number = self.unless(at, is_null, next, pos);
            let what = "access to memory at an address that is a number of the program";
            self.edge(number, end, Op::Unsupported(what.into()), pos);
            at = next;
        }
        at
    }
}

/// What holds numbers that are cast to pointers.
struct Numbers<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    uses: &'p Uses,
    vars: FxHashSet<VarId>,
    /// Whether one was stored in memory.
    stored: bool,
}

impl<'p> Numbers<'p> {
    /// Follows numbers through a program.
    fn of(program: &'p Program, points_to: &'p PointsTo, uses: &'p Uses) -> Self {
        let mut numbers = Self { program, points_to, uses, vars: FxHashSet::default(), stored: false };
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind
                && numbers.is_number(init)
            {
                numbers.vars.insert(var);
            }
        }
        while numbers.round() {}
        numbers
    }

    /// Looks at every step; whether something was found.
    fn round(&mut self) -> bool {
        let before = (self.vars.len(), self.stored);
        let program = self.program;
        for (id, function) in program.functions.enumerate() {
            for edge in function.edges().iter() {
                match edge.op {
                    Op::Assign { var, value } if self.is_number(value) => drop(self.vars.insert(var)),
                    Op::Store { value, .. } => self.stored |= self.is_number(value),
                    Op::Call { callee, ref args, .. } => {
                        let callees = match callee {
                            Callee::Direct(callee) => vec![callee],
                            Callee::Indirect(pointer) => self.points_to.callees(pointer).functions,
                        };
                        for callee in callees {
                            let pairs = program.functions[callee].params.iter().zip(args);
                            let given: Vec<VarId> =
                                pairs.filter(|&(_, &arg)| self.is_number(arg)).map(|(&p, _)| p).collect();
                            self.vars.extend(given);
                        }
                    }
                    Op::Return { value: Some(value) } if self.is_number(value) => {
                        let results =
                            program.functions.iter().flat_map(|f| f.edges().iter()).filter_map(|e| match e.op {
                                Op::Call { result, callee: Callee::Direct(callee), .. } if callee == id => result,
                                Op::Call { result, callee: Callee::Indirect(_), .. } => result,
                                _ => None,
                            });
                        self.vars.extend(results);
                    }
                    _ => {}
                }
            }
        }
        before != (self.vars.len(), self.stored)
    }

    /// Whether a pointer is a number.
    fn is_number(&self, pointer: ExprId) -> bool {
        let exprs = &self.program.exprs;
        exprs.ty(pointer) == Ty::Ptr
            && match exprs.get(pointer) {
                Expr::Const(_, number) => number != 0,
                Expr::Cast(CastOp::IntToPtr, ..) => true,
                Expr::Binary(_, base, _) => self.is_number(base),
                Expr::Var(var) => self.vars.contains(&var),
                Expr::Load(..) => self.stored,
                _ => false,
            }
            && self.points_to.of_expr(pointer).iter().all(|target| target.base == Base::Indeterminate)
    }

    /// The accesses of a function at numbers.
    fn guards(&self, function: FuncId) -> Guards {
        let mut guards = Guards::new();
        for edge in self.program.functions[function].edges().iter() {
            for address in self.accessed(&edge.op) {
                let (_, addresses) = guards.entry(edge.src).or_insert_with(|| (edge.pos, Vec::new()));
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        guards
    }

    /// The addresses of a step's accesses that are numbers.
    fn accessed(&self, op: &Op) -> Vec<ExprId> {
        let mut addresses = Vec::new();
        for_each_root(op, |root| {
            for &load in self.uses.loads(root) {
                if let Expr::Load(_, address) = self.program.exprs.get(load) {
                    addresses.push(address);
                }
            }
        });
        match *op {
            Op::Store { addr, .. } | Op::HavocMem { addr, .. } => addresses.push(addr),
            Op::Copy { dst, src, .. } => addresses.extend([dst, src]),
            Op::Fill { dst, .. } => addresses.push(dst),
            _ => {}
        }
        addresses.retain(|&address| self.is_number(address));
        addresses
    }
}
