//! What all analyses want to know of a program before they start.

use crate::analysis::callgraph::CallGraph;
use crate::analysis::classify::Classes;
use crate::analysis::liveness::{Kind, Liveness};
use crate::analysis::modref::ModRef;
use crate::analysis::points_to::PointsTo;
use crate::analysis::uses::Uses;
use crate::ir::{FuncId, Program, VarId};
use crate::returns::Results;

/// A program with explicit returns and what is known of it.
pub struct Facts {
    /// The program.
    pub program: Program,
    /// The variables that hold returned values.
    pub results: Results,
    /// Variables and loads of expressions.
    pub uses: Uses,
    /// What pointers may point to.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub calls: CallGraph,
    /// What functions read and write.
    pub modref: ModRef,
    /// Variables whose value still matters.
    pub liveness: Liveness,
    /// How variables are used.
    pub classes: Classes,
}

impl Facts {
    /// Makes returns explicit and analyses the program.
    pub fn of(mut program: Program) -> Self {
        let results = crate::returns::explicit(&mut program);
        let uses = Uses::of(&program);
        let points_to = PointsTo::of(&program, &uses);
        let calls = CallGraph::of(&program, &points_to);
        let modref = ModRef::of(&program, &uses, &points_to, &calls);
        let liveness = Liveness::of(&program, &uses, &calls, &modref, Kind::Plain);
        let classes = Classes::of(&program, &uses, &calls);
        Self { program, results, uses, points_to, calls, modref, liveness, classes }
    }

    /// Whether a function, or one that it calls, may write a global variable.
    pub fn may_write(&self, function: FuncId, global: VarId) -> bool {
        let effects = self.modref.of_call(function);
        effects.calls_unknown || effects.writes.contains(global)
    }
}
