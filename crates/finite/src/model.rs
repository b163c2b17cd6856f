//! The model of a program: its variables as bits, and what has been built over them so far.

use crate::encoding::Meaning;
use crate::relation::Side;
use crate::{Encoding, full, order, transition, values};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, VarId, VarKind};
use robusto_cpa::Approximations;
use robusto_cpa::blocks::Blocks;
use robusto_diagram::{Bdd as Node, Diagrams, StoreSize};
use robusto_limits::Stopped;

/// The finite-state model of a program.
pub struct Model<'f> {
    pub(crate) facts: &'f Facts,
    pub(crate) diagrams: Diagrams,
    pub(crate) encoding: Encoding,
    pub(crate) blocks: IdxVec<FuncId, Blocks>,
    pub(crate) values: values::Cache,
    pub(crate) transitions: transition::Cache,
    pub(crate) approximations: Approximations,
}

impl<'f> Model<'f> {
    /// Chooses order and encoding; nothing is built yet.
    pub fn new(facts: &'f Facts, size: StoreSize) -> Self {
        Self::of_variables(facts, size, |_| true)
    }

    /// The model of some variables; what depends on others is over-approximated.
    pub fn of_variables(facts: &'f Facts, size: StoreSize, wanted: impl Fn(VarId) -> bool) -> Self {
        let mut clusters = order(facts);
        clusters.iter_mut().for_each(|cluster| cluster.retain(|&var| wanted(var)));
        let encoding = Encoding::new(facts, &clusters);
        // A block with a test of something else would hide that from whoever tracks it.
        let blocks = robusto_cpa::blocks::find_where(&facts.program, |cond| {
            facts.uses.vars(cond).iter().all(|&var| wanted(var))
        });
        Self {
            facts,
            diagrams: Diagrams::new(encoding.num_bits(), size),
            encoding,
            blocks,
            values: values::Cache::default(),
            transitions: transition::Cache::default(),
            approximations: Approximations::default(),
        }
    }

    /// What is known of the program.
    pub fn facts(&self) -> &'f Facts {
        self.facts
    }

    /// The decision diagrams.
    pub fn diagrams(&self) -> &Diagrams {
        &self.diagrams
    }

    /// How variables are encoded.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The blocks of tests that can be taken in one step.
    pub fn blocks(&self) -> &IdxVec<FuncId, Blocks> {
        &self.blocks
    }

    /// The edges met so far that are not exact.
    pub fn approximations(&self) -> &Approximations {
        &self.approximations
    }

    /// The states in which the program starts.
    pub fn initial(&mut self) -> Result<Node, Stopped> {
        let facts = self.facts;
        let main = facts.program.main;
        let live = main.map(|m| facts.liveness.at(m, facts.program.functions[m].entry));
        let mut set = self.diagrams.top();
        for (var, info) in facts.program.vars.enumerate() {
            if self.encoding.get(var).is_none() || !live.is_some_and(|l| l.contains(var)) {
                continue;
            }
            let part = match info.kind {
                VarKind::Global(init) => self.relation(var, init, Side::Current)?,
                // Parameters of main are inputs; so is whatever is read before it is written.
                _ => None,
            };
            let part = match part {
                Some(part) => part,
                None => self.domain(var, Side::Current)?,
            };
            set = self.diagrams.and(&set, &part).map_err(full)?;
        }
        Ok(set)
    }

    /// The states of a set in which a tracked variable has this value.
    pub fn with_value(&self, set: &Node, var: VarId, value: u64) -> Result<Node, Stopped> {
        let code = self.encoding.get(var).expect("only tracked variables are asked for");
        let number = match &code.meaning {
            Meaning::Bits => value,
            Meaning::Index { values, .. } => match values.iter().position(|v| *v == Some(value)) {
                Some(index) => index as u64,
                None => return Ok(self.diagrams.bottom()),
            },
        };
        let here = self.number_is(&code.bits, number)?;
        self.diagrams.and(set, &here).map_err(full)
    }
}
