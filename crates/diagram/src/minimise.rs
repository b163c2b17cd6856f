//! Simplification of a function where only its values on a care set matter.
//!
//! The operator *restrict* of O. Coudert and J. C. Madre, "A unified framework for the formal verification of sequential
//! circuits" (ICCAD 1990): where the care set is empty under one value of a variable, the node of `f` for this variable
//! is replaced by its child under the other value; variables that only the care set tests are quantified in it.
//!
//! Soundness: every step keeps `f` on the care set, since a branch is dropped only where the care set is empty, and
//! quantification only enlarges the care set.

use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function};
use oxidd_core::Manager as _;
use oxidd_core::function::EdgeOfFunc;
use oxidd_core::util::{EdgeDropGuard, EdgeVecDropGuard, Own, Ref};
use rustc_hash::FxHashMap;

use crate::diagrams::Raw;
use crate::edges::{Key, Nodes, key};
use crate::{Bdd, Diagrams, Full};

type Manager<'id> = <Raw as Function>::Manager<'id>;
type E<'id> = EdgeOfFunc<'id, Raw>;

impl Diagrams {
    /// A function that agrees with `f` on `care` and often has fewer nodes. With an empty `care`, `f` itself.
    pub fn restrict_minimise(&self, f: &Bdd, care: &Bdd) -> Result<Bdd, Full> {
        if self.is_constant(f) || self.is_constant(care) {
            return Ok(f.clone());
        }
        self.run(|| {
            f.0.with_manager_shared(|manager, f| {
                let bottom = EdgeDropGuard::new(manager, Raw::f_edge(manager));
                let mut restrict = Restrict {
                    manager,
                    bottom: bottom.borrowed(),
                    memo: FxHashMap::default(),
                    owned: EdgeVecDropGuard::new(manager, Vec::new()),
                };
                Ok(Raw::from_edge(manager, restrict.apply(f, care.0.as_edge(manager))?))
            })
        })
    }
}

struct Restrict<'a, 'id: 'a> {
    manager: &'a Manager<'id>,
    bottom: Ref<'a, E<'id>>,
    /// Place in `owned` of the result for a function and a care set.
    memo: FxHashMap<(Key, Key), usize>,
    /// Keeps results and care sets alive while the memo refers to them.
    owned: EdgeVecDropGuard<'a, Manager<'id>>,
}

impl<'id> Restrict<'_, 'id> {
    fn apply(&mut self, f: Ref<'_, E<'id>>, care: Ref<'_, E<'id>>) -> AllocResult<Own<E<'id>>> {
        let manager = self.manager;
        if manager.is_terminal(f) || manager.is_terminal(care) {
            return Ok(manager.clone_edge(f));
        }
        let pair = (key(f), key(care));
        if let Some(&place) = self.memo.get(&pair) {
            return Ok(manager.clone_edge(self.owned[place].borrowed()));
        }
        let (f_level, care_level) = (manager.root_level(f), manager.root_level(care));
        let (care1, care0) = manager.branches(care, f_level.min(care_level));
        let result = if care_level < f_level {
            let union = EdgeDropGuard::new(manager, Raw::or_edge(manager, care1, care0)?);
            self.owned.push(manager.clone_edge(union.borrowed()));
            self.apply(f, union.borrowed())?
        } else {
            let (f1, f0) = manager.branches(f, f_level);
            if care1 == self.bottom {
                self.apply(f0, care0)?
            } else if care0 == self.bottom {
                self.apply(f1, care1)?
            } else {
                let high = EdgeDropGuard::new(manager, self.apply(f1, care1)?);
                let low = self.apply(f0, care0)?;
                manager.make(f_level, high.into_edge(), low)?
            }
        };
        self.memo.insert(pair, self.owned.len());
        self.owned.push(manager.clone_edge(result.borrowed()));
        Ok(result)
    }
}
