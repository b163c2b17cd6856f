//! Sizes of a program, for people.

use super::Analyses;
use super::classify::Class;
use super::loops::LoopForest;
use crate::ir::{ObjectKind, Op, Program, VarKind};
use std::fmt;

/// Sizes of a program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Functions with a body.
    pub defined: usize,
    /// Functions without a body.
    pub external: usize,
    /// Functions that `main` may lead to.
    pub reachable: usize,
    /// Functions that may call themselves, directly or not.
    pub recursive: usize,
    /// Locations of all functions.
    pub locations: usize,
    /// Locations of the largest function.
    pub largest: usize,
    /// Edges by what they do, in a fixed order, without those that do not occur.
    pub edges: Vec<(&'static str, usize)>,
    /// Expressions in the pool.
    pub expressions: usize,
    /// Global variables.
    pub globals: usize,
    /// Parameters.
    pub params: usize,
    /// Local variables of the source.
    pub locals: usize,
    /// Temporaries.
    pub temps: usize,
    /// Variables by class: Boolean, enumerated, ordered, linear, general.
    pub classes: [usize; 5],
    /// Global objects.
    pub global_objects: usize,
    /// Constant objects.
    pub constant_objects: usize,
    /// Local objects.
    pub local_objects: usize,
    /// `Alloc` edges.
    pub allocation_sites: usize,
    /// Loops, that is heads of loops.
    pub loops: usize,
    /// Loops that can be entered elsewhere than at their head.
    pub irreducible: usize,
    /// Depth of the deepest loop nest within a function.
    pub max_nesting: u32,
    /// Indirect calls whose targets are all known.
    pub resolved_calls: usize,
    /// Indirect calls that may call something unknown.
    pub unknown_calls: usize,
    /// Assumptions of the lowering.
    pub assumptions: usize,
}

impl Stats {
    /// Counts.
    pub fn of(program: &Program, analyses: &Analyses) -> Self {
        let mut stats =
            Self { expressions: program.exprs.len(), assumptions: program.assumptions.len(), ..Self::default() };
        let mut edges = [("", 0); KINDS];
        for (id, function) in program.functions.enumerate() {
            *(if function.external { &mut stats.external } else { &mut stats.defined }) += 1;
            stats.reachable += usize::from(analyses.calls.is_reachable(id));
            stats.recursive += usize::from(analyses.calls.is_recursive(id));
            stats.locations += function.num_locs();
            stats.largest = stats.largest.max(function.num_locs());
            for edge in function.edges().iter() {
                let (at, name) = kind(&edge.op);
                edges[at] = (name, edges[at].1 + 1);
                stats.allocation_sites += usize::from(matches!(edge.op, Op::Alloc { .. }));
            }
            let loops = LoopForest::of(function);
            stats.loops += loops.loops().len();
            stats.irreducible += loops.loops().iter().filter(|l| l.irreducible).count();
            stats.max_nesting = stats.max_nesting.max(loops.max_depth());
            for site in analyses.calls.sites(id).iter().filter(|s| s.indirect) {
                *(if site.unknown { &mut stats.unknown_calls } else { &mut stats.resolved_calls }) += 1;
            }
        }
        stats.edges = edges.into_iter().filter(|e| e.1 > 0).collect();
        for (var, v) in program.vars.enumerate() {
            *match v.kind {
                VarKind::Global(_) => &mut stats.globals,
                VarKind::Param(_) => &mut stats.params,
                VarKind::Local(_) => &mut stats.locals,
                VarKind::Temp(_) => &mut stats.temps,
            } += 1;
            stats.classes[match analyses.classes.class(var) {
                Class::Boolean => 0,
                Class::Enumerated(_) => 1,
                Class::Ordered(_) => 2,
                Class::Linear => 3,
                Class::General => 4,
            }] += 1;
        }
        for object in program.objects.iter() {
            *match object.kind {
                ObjectKind::Global(_) => &mut stats.global_objects,
                ObjectKind::Constant(_) => &mut stats.constant_objects,
                ObjectKind::Local(_) => &mut stats.local_objects,
            } += 1;
        }
        stats
    }
}

const KINDS: usize = 16;

/// Position in the list of edges, and name.
fn kind(op: &Op) -> (usize, &'static str) {
    match op {
        Op::Skip => (0, "skip"),
        Op::Assume { .. } => (1, "assume"),
        Op::Assign { .. } => (2, "assign"),
        Op::Store { .. } => (3, "store"),
        Op::Copy { .. } => (4, "copy"),
        Op::Fill { .. } => (5, "fill"),
        Op::Havoc { .. } => (6, "havoc"),
        Op::HavocMem { .. } => (7, "havoc memory"),
        Op::Call { .. } => (8, "call"),
        Op::Builtin { .. } => (9, "builtin"),
        Op::Alloc { .. } => (10, "alloc"),
        Op::Free { .. } => (11, "free"),
        Op::Return { .. } => (12, "return"),
        Op::Error(_) => (13, "error"),
        Op::Halt { .. } => (14, "halt"),
        Op::Unsupported(_) => (15, "unsupported"),
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |name: &str, count: usize, parts: &[(&str, usize)]| {
            let parts: Vec<_> = parts.iter().filter(|p| p.1 > 0).map(|p| format!("{} {}", p.1, p.0)).collect();
            let detail = if parts.is_empty() { String::new() } else { format!("  ({})", parts.join(", ")) };
            writeln!(f, "{name:<18}{count:>9}{detail}")
        };
        line(
            "functions",
            self.defined + self.external,
            &[
                ("defined", self.defined),
                ("external", self.external),
                ("reachable", self.reachable),
                ("recursive", self.recursive),
            ],
        )?;
        line("locations", self.locations, &[("in the largest function", self.largest)])?;
        line("edges", self.edges.iter().map(|e| e.1).sum(), &self.edges)?;
        line("expressions", self.expressions, &[])?;
        let kinds =
            [("global", self.globals), ("parameters", self.params), ("local", self.locals), ("temporary", self.temps)];
        line("variables", kinds.iter().map(|k| k.1).sum(), &kinds)?;
        let names = ["Boolean", "enumerated", "ordered", "linear", "general"];
        let classes: Vec<_> = names.into_iter().zip(self.classes).collect();
        line("  by class", self.classes.iter().sum(), &classes)?;
        let objects =
            [("global", self.global_objects), ("constant", self.constant_objects), ("local", self.local_objects)];
        line("memory objects", objects.iter().map(|o| o.1).sum(), &objects)?;
        line("allocation sites", self.allocation_sites, &[])?;
        line("loops", self.loops, &[("deep", self.max_nesting as usize), ("irreducible", self.irreducible)])?;
        let indirect = [("resolved", self.resolved_calls), ("unknown", self.unknown_calls)];
        line("indirect calls", self.resolved_calls + self.unknown_calls, &indirect)?;
        line("assumptions", self.assumptions, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::Build;
    use crate::ir::{BinOp, Ty};

    #[test]
    fn counts() {
        let mut b = Build::new();
        let g = b.global(Ty::Int(32));
        let main = b.function("main", &[]);
        let ext = b.function("ext", &[]);
        b.program.functions[ext].external = true;
        let (ge, two) = (b.read(g), b.pool().constant(Ty::Int(32), 2));
        let cond = b.pool().binary(BinOp::Eq, ge, two);
        let assume = |truth| Op::Assume { cond, truth };
        let assign = Op::Assign { var: g, value: two };
        b.edges(
            main,
            4,
            vec![(0, 1, assume(true)), (0, 2, assume(false)), (2, 0, assign), (1, 3, Op::Return { value: None })],
        );
        b.body(ext, vec![]);
        let stats = Stats::of(&b.program, &Analyses::of(&b.program));
        let expected = "\
functions                 2  (1 defined, 1 external, 1 reachable)
locations                 6  (4 in the largest function)
edges                     5  (2 assume, 1 assign, 2 return)
expressions               4
variables                 1  (1 global)
  by class                1  (1 enumerated)
memory objects            0
allocation sites          0
loops                     1  (1 deep)
indirect calls            0
assumptions               0
";
        assert_eq!(stats.to_string(), expected);
    }
}
