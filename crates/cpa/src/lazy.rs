//! Lazy abstraction: a graph that was explored is cut back where the precision changed, and explored on from there.
//!
//! Henzinger, Jhala, Majumdar, Sutre: *Lazy abstraction*, POPL 2002. Invariant: a covered node is covered by a live one; when
//! that is removed or loses concrete states, what it covered waits again.

use crate::algorithm::Exploration;
use crate::analysis::Analysis;
use crate::arg::{StateId, Status};
use crate::composite::Composite;
use crate::strategy::Strategy;
use robusto_limits::Stopped;

impl<D: Clone> Exploration<D> {
    /// Cuts the graph back at a node: what was reached through it is removed, the node takes other data and waits, and so
    /// do the nodes that removed ones covered.
    pub fn cut<A: Analysis<State = D>, S: Strategy<A>>(&mut self, cpa: &Composite<'_, A, S>, at: StateId, data: D) {
        let lost = self.remove_descendants(at);
        self.arg.set_status(at, Status::Removed);
        let partition = cpa.partition(&data);
        let node = self.arg.node_mut(at);
        node.state.data = data;
        node.successors.clear();
        self.arg.revive(at, partition);
        self.wait_again(cpa, lost, &[at]);
        let state = &self.arg.node(at).state;
        self.waitlist.push(at, || cpa.rank(state.location, state.stack, &state.data));
    }

    /// Removes a node that was found to have no concrete state, and what was reached through it.
    pub fn remove<A: Analysis<State = D>, S: Strategy<A>>(&mut self, cpa: &Composite<'_, A, S>, node: StateId) {
        let lost = self.remove_descendants(node);
        self.arg.set_status(node, Status::Bottom);
        self.wait_again(cpa, lost, &[node]);
    }

    /// Looks again at nodes that lost concrete states: those that they covered wait, and they themselves may be covered
    /// now, by nodes that are older.
    pub fn reconsider<A: Analysis<State = D>, S: Strategy<A>>(
        &mut self,
        cpa: &mut Composite<'_, A, S>,
        smaller: &[StateId],
    ) -> Result<(), Stopped> {
        for &id in smaller {
            if self.arg.node(id).status != Status::Live {
                continue;
            }
            self.wait_again(cpa, Vec::new(), &[id]);
            let state = &self.arg.node(id).state;
            let key = (state.location, state.stack, cpa.partition(&state.data));
            let data = state.data.clone();
            let older: Vec<StateId> = self.arg.at(key).iter().copied().filter(|&other| other < id).collect();
            for other in older {
                if cpa.cover(&data, &self.arg.node(other).state.data)? {
                    let lost = self.remove_descendants(id);
                    self.arg.node_mut(id).successors.clear();
                    self.arg.set_status(id, Status::Covered(other));
                    self.wait_again(cpa, lost, &[]);
                    break;
                }
            }
        }
        Ok(())
    }

    fn remove_descendants(&mut self, of: StateId) -> Vec<StateId> {
        let lost = self.arg.descendants(of);
        for &node in &lost {
            self.arg.set_status(node, Status::Removed);
        }
        lost
    }

    /// The nodes that one of these covered wait again.
    pub(crate) fn wait_again<A: Analysis<State = D>, S: Strategy<A>>(
        &mut self,
        cpa: &Composite<'_, A, S>,
        mut lost: Vec<StateId>,
        more: &[StateId],
    ) {
        lost.extend(more);
        for id in self.arg.uncover(&lost, |data| cpa.partition(data)) {
            let state = &self.arg.node(id).state;
            self.waitlist.push(id, || cpa.rank(state.location, state.stack, &state.data));
        }
    }
}
