//! A quick look at a program: what `--analysis auto` chooses by.

use crate::problem::Problem;
use crate::procedures::expansions;
use robusto_cfa::analysis::classify::Class;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{BinOp, Callee, Expr, ExprId, Op, Ty};
use std::fmt;

/// Variables with few values for each one under arithmetic, from which on a program is finite control. Of 12 tasks each:
/// `locks` and `eca-rers2012` have no arithmetic; `ntdrivers-simplified` has 5 to 11, `product-lines` 4 to 259, `systemc` 12 to
/// 42 but for three of 1.4; `loops`, `bitvector` and `loop-lit` have 2 at most. Only `ssh-simplified`, with 1.6 to 2.9, and a
/// few of `loop-acceleration`, with up to 3, lie near the border.
const FEW_VALUED_PER_ARITHMETIC: usize = 3;

/// Locations for each access to memory, from which on a program is finite control: diagrams hold no memory. The families of
/// finite control have no access at all; those of `loops` that have some have one for every 1.4 to 14 locations.
const LOCATIONS_PER_ACCESS: usize = 10;

/// Locations of the program with a copy of each function per call of it, from which on calls count as copied over and over; and how
/// many times the locations of the program they must be.
const COPIED: (u64, u64) = (4_000, 20);

/// What is seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Locations of the functions that may run.
    pub locations: usize,
    /// Locations with a copy of each function per call of it; recursive calls not counted.
    pub inlined: u64,
    /// Loops of these.
    pub loops: usize,
    /// Whether a function that may run is recursive.
    pub recursive: bool,
    /// Variables with few values to tell apart: truth values, names of things, numbers compared with constants.
    pub few_valued: usize,
    /// Bits that it takes to tell these values apart.
    pub few_valued_bits: u32,
    /// Integer variables under arithmetic.
    pub arithmetic: usize,
    /// Edges that read or write memory.
    pub memory_accesses: usize,
    /// Edges that read or write memory at an address with a variable in it that is no pointer.
    pub indexed_accesses: usize,
    /// Whether there is arithmetic on floats.
    pub floats: bool,
    /// Whether there is multiplication or division of two variables.
    pub nonlinear: bool,
    /// Calls through pointers.
    pub indirect_calls: usize,
}

impl Look {
    /// Looks.
    pub fn at(problem: &Problem) -> Self {
        let facts = &problem.facts;
        let program = &facts.program;
        let mut look = Look::default();
        for (id, function) in program.functions.enumerate() {
            if !facts.calls.is_reachable(id) {
                continue;
            }
            look.locations += function.num_locs();
            look.loops += LoopForest::of(function).loops().len();
            look.recursive |= facts.calls.is_recursive(id);
            for edge in function.edges().iter() {
                let writes = matches!(
                    edge.op,
                    Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. } | Op::Alloc { .. }
                );
                let mut reads = false;
                for_each_root(&edge.op, |expr| reads |= !facts.uses.loads(expr).is_empty());
                look.memory_accesses += usize::from(writes || reads);
                look.indexed_accesses += usize::from(is_indexed(facts, &edge.op));
                let indirect = matches!(edge.op, Op::Call { callee: Callee::Indirect(..), .. });
                look.indirect_calls += usize::from(indirect);
            }
        }
        look.inlined = program.main.map_or(0, |main| expansions(facts)[main]);
        for group in facts.classes.groups().iter() {
            let members = group.vars.iter().filter(|&&v| {
                let owner = program.vars[v].kind.owner();
                matches!(program.vars[v].ty, Ty::Int(_)) && owner.is_none_or(|f| facts.calls.is_reachable(f))
            });
            let count = members.count();
            match (&group.class, group.domain()) {
                (_, Some(domain)) => {
                    look.few_valued += count;
                    look.few_valued_bits += count as u32 * domain.next_power_of_two().trailing_zeros();
                }
                (Class::Linear | Class::General, None) => look.arithmetic += count,
                (Class::Boolean | Class::Enumerated(_) | Class::Ordered(_), None) => look.few_valued += count,
            }
        }
        let pool = &program.exprs;
        for id in pool.ids() {
            if let Expr::Binary(op, a, b) = pool.get(id) {
                look.floats |= matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FLt);
                look.nonlinear |= matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
                    && pool.as_const(a).is_none()
                    && pool.as_const(b).is_none();
            }
        }
        look
    }

    /// Whether a program whose calls are replaced by copies is many times as large.
    pub fn is_copied(&self) -> bool {
        self.inlined > COPIED.0 && self.inlined / COPIED.1 > self.locations as u64
    }

    /// Whether nearly all of the state is in variables with few values, which is what decision diagrams are good at.
    pub fn is_finite_control(&self) -> bool {
        self.few_valued > 0
            && self.few_valued >= FEW_VALUED_PER_ARITHMETIC * self.arithmetic
            && self.memory_accesses * LOCATIONS_PER_ACCESS <= self.locations
    }
}

/// Whether an edge accesses memory at an address that is a sum with two parts that vary: a pointer or an object, and an index.
fn is_indexed(facts: &Facts, op: &Op) -> bool {
    let pool = &facts.program.exprs;
    let is_sum = |addr: ExprId| {
        let mut todo = vec![addr];
        while let Some(id) = todo.pop() {
            match pool.get(id) {
                Expr::Binary(_, a, b) if pool.as_const(a).is_none() && pool.as_const(b).is_none() => return true,
                Expr::Binary(..) | Expr::Cast(..) => todo.extend(pool.operands(id)),
                _ => {}
            }
        }
        false
    };
    let mut found = matches!(op, Op::Store { addr, .. } if is_sum(*addr));
    for_each_root(op, |root| {
        found |=
            facts.uses.loads(root).iter().any(|&load| matches!(pool.get(load), Expr::Load(_, addr) if is_sum(addr)));
    });
    found
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} locations", self.locations)?;
        if self.is_copied() {
            write!(f, " ({:.0e} with a copy of each function per call)", self.inlined as f64)?;
        }
        write!(f, ", {} loops", self.loops)?;
        write!(f, ", {} variables with few values ({} bits)", self.few_valued, self.few_valued_bits)?;
        write!(f, ", {} under arithmetic", self.arithmetic)?;
        if self.memory_accesses > 0 {
            write!(f, ", {} memory accesses", self.memory_accesses)?;
            if self.indexed_accesses > 0 {
                write!(f, " ({} by index)", self.indexed_accesses)?;
            }
        }
        if self.indirect_calls > 0 {
            write!(f, ", {} calls through pointers", self.indirect_calls)?;
        }
        for (seen, what) in
            [(self.recursive, "recursion"), (self.floats, "floats"), (self.nonlinear, "nonlinear arithmetic")]
        {
            if seen {
                write!(f, ", {what}")?;
            }
        }
        Ok(())
    }
}
