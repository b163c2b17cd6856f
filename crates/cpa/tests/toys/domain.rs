//! Toy analyses of one byte, and programs for them.

use robusto_cfa::ir::{Expr, ExprId, FuncId, Idx, LocId, Op, Program, Ty, VarId, fold};
use robusto_cpa::control::{Callees, Location};
use robusto_cpa::{Analysis, Arg, Exploration, Merge, Prec, Status, Step, Strategy};
use robusto_limits::Stopped;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Two branches, a join, and an error that neither branch reaches.
pub const DIAMOND: &str = "
  entry L0, exit L7
  L0 -> L1: assume y == 0
  L0 -> L2: assume not (y == 0)
  L1 -> L3: x := 1
  L2 -> L3: x := 3
  L3 -> L4: assume x == 2
  L3 -> L5: assume not (x == 2)
  L4 -> L6: error reach_error
  L5 -> L7: return
";

/// A loop that counts to 200, with its head at L1.
pub const LOOP: &str = "
  entry L0, exit L4
  L0 -> L1: x := 0
  L1 -> L2: assume x <u 200
  L1 -> L3: assume not (x <u 200)
  L2 -> L1: x := x + 1
  L3 -> L4: return
";

/// A program of `main` with this body, and further functions.
pub fn program(main: &str, others: &str) -> Program {
    let globals = "global x: u8 = 0\nglobal y: u8 = 0\n";
    let text = format!("program LP64\nmain main\nfile 0 \"toy.c\"\n\n{globals}\nfunction main() {{{main}}}\n{others}");
    robusto_cfa::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// No calls through pointers.
pub struct Direct;

impl Callees for Direct {
    fn callees(&self, _: ExprId) -> Vec<FuncId> {
        Vec::new()
    }
}

/// The value of an expression over one variable; `None` if it has others.
fn value(program: &Program, expr: ExprId, var: VarId, byte: u8) -> Option<u64> {
    Some(match program.exprs.get(expr) {
        Expr::Const(_, bits) => bits,
        Expr::Var(other) => return (other == var).then_some(byte.into()),
        Expr::Unary(op, a) => {
            let bits = program.exprs.ty(a).bits(program.model);
            fold::mask(bits, fold::unary(op, program.exprs.ty(a), value(program, a, var, byte)?))
        }
        Expr::Binary(op, a, b) => {
            let (left, right) = (value(program, a, var, byte)?, value(program, b, var, byte)?);
            let ty = program.exprs.ty(a);
            fold::binary(op, ty, ty.bits(program.model), left, right)
        }
        _ => return None,
    })
}

/// The values after an edge, from those before.
pub fn image(program: &Program, step: Step, var: VarId, before: impl Iterator<Item = u8> + Clone) -> BTreeSet<u8> {
    let Step::Edge(..) = step else { return before.collect() };
    match step.edge(program).op {
        Op::Assign { var: target, value: expr } if target == var => {
            let images: Option<BTreeSet<u8>> =
                before.map(|byte| value(program, expr, var, byte).map(|bits| bits as u8)).collect();
            images.unwrap_or_else(|| (0..=255).collect())
        }
        Op::Assume { cond, truth } => {
            before.filter(|&byte| value(program, cond, var, byte).is_none_or(|bits| (bits == 1) == truth)).collect()
        }
        _ => before.collect(),
    }
}

/// A variable of the program.
pub fn variable(program: &Program, name: &str) -> VarId {
    let found = program.vars.enumerate().find(|(_, v)| &*v.name == name && v.ty == Ty::Int(8));
    found.map(|(id, _)| id).expect("the variable is declared")
}

/// How [`Hull`] merges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merging {
    /// merge^sep
    Sep,
    /// merge^join
    Join,
    /// The same, but what grows at this location of `main` grows to the end.
    WidenAt(LocId),
}

/// The least and the greatest value of a variable.
pub struct Hull<'p> {
    pub program: &'p Program,
    pub var: VarId,
    pub merging: Merging,
    /// What `prec` does at a location.
    pub precision: Vec<(LocId, Prec)>,
    pub transfers: usize,
    pub merged_at: BTreeSet<LocId>,
}

impl<'p> Hull<'p> {
    pub fn new(program: &'p Program, name: &str, merging: Merging) -> Self {
        let var = variable(program, name);
        Self { program, var, merging, precision: Vec::new(), transfers: 0, merged_at: BTreeSet::new() }
    }

    fn of(values: &BTreeSet<u8>) -> Option<(u8, u8)> {
        Some((*values.first()?, *values.last()?))
    }
}

impl Analysis for Hull<'_> {
    type State = (u8, u8);

    fn initial(&mut self) -> Result<(u8, u8), Stopped> {
        Ok((0, 0))
    }

    fn transfer(&mut self, &(lo, hi): &(u8, u8), step: Step) -> Result<Option<(u8, u8)>, Stopped> {
        self.transfers += 1;
        Ok(Self::of(&image(self.program, step, self.var, lo..=hi)))
    }

    fn merge(&mut self, new: &(u8, u8), old: &(u8, u8), at: Location) -> Result<Merge<(u8, u8)>, Stopped> {
        self.merged_at.insert(at.loc);
        let join = (new.0.min(old.0), new.1.max(old.1));
        if self.merging == Merging::Sep || join == *old {
            return Ok(Merge::Keep);
        }
        let widen = self.merging == Merging::WidenAt(at.loc);
        let lo = if widen && join.0 < old.0 { 0 } else { join.0 };
        let hi = if widen && join.1 > old.1 { 255 } else { join.1 };
        Ok(Merge::Replace((lo, hi)))
    }

    fn stop(&self, new: &(u8, u8), old: &(u8, u8)) -> Result<bool, Stopped> {
        Ok(old.0 <= new.0 && new.1 <= old.1)
    }

    fn prec(&mut self, state: &mut (u8, u8), at: Location) -> Result<Prec, Stopped> {
        let found = self.precision.iter().find(|(loc, _)| *loc == at.loc);
        let prec = found.map_or(Prec::Kept, |&(_, prec)| prec);
        if prec == Prec::Adjusted {
            *state = (0, 255);
        }
        Ok(prec)
    }
}

/// Explores until nothing is left.
pub fn explore<A: Analysis, S: Strategy<A>>(
    cpa: &mut robusto_cpa::Composite<'_, A, S>,
    order: robusto_cpa::Order,
) -> Exploration<A::State> {
    let main = cpa.program.main.expect("there is a main");
    let (exploration, run) = robusto_cpa::explore(cpa, main, order, |_| ControlFlow::Continue(()));
    assert!(matches!(run, robusto_cpa::Run::Complete), "{run:?}");
    exploration
}

/// The live states at a location of a function, sorted.
pub fn states<D: Ord + Clone>(arg: &Arg<D>, function: usize, loc: usize) -> Vec<D> {
    let at = Location { function: FuncId::new(function), loc: LocId::new(loc) };
    let nodes = arg.ids().map(|id| arg.node(id));
    let mut found: Vec<D> = nodes
        .filter(|node| node.status == Status::Live && node.state.location == at)
        .map(|node| node.state.data.clone())
        .collect();
    found.sort();
    found
}
