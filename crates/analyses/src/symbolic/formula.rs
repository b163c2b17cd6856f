//! Formulas of paths, their guards, and how two of them merge.

use super::{Cell, Encoder};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use robusto_cfa::ir::FuncId;
use robusto_logic::{Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// All paths from the start of a block to a location.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The paths' conditions, over the block's inputs and choices.
    pub guard: Term,
    /// Values of the cells changed since the start of the block. A cell that is not here has its value at the start, or
    /// is never read again.
    pub env: OrdMap<Cell, Term>,
    /// Nondeterministic choices so far: the maximum over the merged paths.
    pub choices: u32,
    /// Activations of recursive functions.
    pub activations: OrdMap<FuncId, u32>,
    /// The guard as a list of conditions.
    path: PathId,
}

/// A list of conditions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PathId(u32);

impl PathId {
    pub const EMPTY: Self = Self(0);
}

struct PathNode {
    parent: PathId,
    /// An ancestor further away, so that each ancestor is a logarithmic number of jumps and parents away (Myers: *An
    /// applicative random-access stack*, Information Processing Letters 17, 1983).
    jump: PathId,
    condition: Term,
    /// The conjunction of all conditions up to here.
    all: Term,
    depth: u32,
}

/// Guards as lists that share their beginnings: where two paths meet again, the conditions that both have passed stay
/// outside of the disjunction, and the ifs of the merged values test only what tells the paths apart.
pub(super) struct Paths {
    nodes: Vec<PathNode>,
    ids: FxHashMap<(PathId, Term), PathId>,
    /// For a list and a beginning of it, the conjunction of what follows.
    rests: FxHashMap<(PathId, PathId), Term>,
}

impl Paths {
    pub fn new(yes: Term) -> Self {
        let root = PathNode { parent: PathId::EMPTY, jump: PathId::EMPTY, condition: yes, all: yes, depth: 0 };
        Self { nodes: vec![root], ids: FxHashMap::default(), rests: FxHashMap::default() }
    }

    fn node(&self, id: PathId) -> &PathNode {
        &self.nodes[id.0 as usize]
    }

    fn push(&mut self, terms: &mut Terms, parent: PathId, condition: Term) -> PathId {
        if terms.is_true(condition) {
            return parent;
        }
        if let Some(&id) = self.ids.get(&(parent, condition)) {
            return id;
        }
        let PathNode { all, depth, jump: near, .. } = *self.node(parent);
        let far = self.node(near).jump;
        let equal = depth - self.node(near).depth == self.node(near).depth - self.node(far).depth;
        let jump = if equal { far } else { parent };
        let id = PathId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 paths"));
        self.nodes.push(PathNode { parent, jump, condition, all: terms.and(all, condition), depth: depth + 1 });
        self.ids.insert((parent, condition), id);
        id
    }

    /// The longest common beginning of two lists, and what follows it in each.
    fn split(&mut self, terms: &mut Terms, a: PathId, b: PathId) -> (PathId, Term, Term) {
        let common = self.common(a, b);
        (common, self.rest(terms, common, a), self.rest(terms, common, b))
    }

    /// The longest common beginning: like a walk over the parents, but by jumps.
    fn common(&self, mut a: PathId, mut b: PathId) -> PathId {
        if self.node(a).depth < self.node(b).depth {
            std::mem::swap(&mut a, &mut b);
        }
        let depth = self.node(b).depth;
        while self.node(a).depth > depth {
            let jump = self.node(a).jump;
            a = if self.node(jump).depth >= depth { jump } else { self.node(a).parent };
        }
        while a != b {
            let (to_a, to_b) = (self.node(a).jump, self.node(b).jump);
            (a, b) = if to_a != to_b { (to_a, to_b) } else { (self.node(a).parent, self.node(b).parent) };
        }
        a
    }

    /// The conjunction of the conditions of a list after a beginning of it. The paths that leave a long loop have ever
    /// longer rests with the same beginning, so these are kept.
    fn rest(&mut self, terms: &mut Terms, beginning: PathId, list: PathId) -> Term {
        let mut todo = Vec::new();
        let mut at = list;
        let mut rest = loop {
            if at == beginning {
                break terms.yes();
            }
            if let Some(&known) = self.rests.get(&(beginning, at)) {
                break known;
            }
            todo.push(at);
            at = self.node(at).parent;
        };
        for node in todo.into_iter().rev() {
            rest = terms.and(rest, self.node(node).condition);
            self.rests.insert((beginning, node), rest);
        }
        rest
    }
}

impl PathFormula {
    /// The empty path.
    pub(super) fn empty(yes: Term, activations: OrdMap<FuncId, u32>) -> Self {
        Self { guard: yes, env: OrdMap::new(), choices: 0, activations, path: PathId::EMPTY }
    }
}

impl Encoder<'_> {
    /// What the terms of a formula take in memory, each once.
    pub fn bytes(&self, f: &PathFormula) -> usize {
        let roots: Vec<Term> = f.env.values().copied().chain([f.guard]).collect();
        self.terms.subterms(&roots).len() * size_of::<Node>()
    }

    /// The list of a formula's conditions; if somebody has changed the guard, it is one condition.
    fn path(&mut self, f: &PathFormula) -> PathId {
        if self.paths.node(f.path).all == f.guard {
            return f.path;
        }
        self.paths.push(&mut self.terms, PathId::EMPTY, f.guard)
    }

    /// Adds a condition to a formula's guard.
    pub fn restrict(&mut self, f: &mut PathFormula, condition: Term) {
        let path = self.path(f);
        f.path = self.paths.push(&mut self.terms, path, condition);
        f.guard = self.paths.node(f.path).all;
    }

    /// The choice that tells the paths of two formulas apart when they are merged although one execution may take both.
    /// The same two have the same. A choice is younger than the formulas, so it does not occur in them, and what it tells
    /// apart here it does not tell apart inside of them; guards alone would not do as its name, because merged visits with
    /// the guards `s` and `not s` have the guard `true` again.
    pub fn selector(&mut self, a: &PathFormula, b: &PathFormula) -> Term {
        let next = self.selectors.len();
        let key = [(a.guard, a.env.clone()), (b.guard, b.env.clone())];
        let number = *self.selectors.entry(key).or_insert(next);
        let term = self.terms.symbol(&format!("merge!{number}"), Sort::BOOL);
        self.choices.insert(self.terms.as_symbol(term).expect("a symbol"));
        term
    }

    /// The paths of both formulas, where an execution may come to the location on paths of both, one after the other. A
    /// choice ([`Encoder::selector`], true for the first) tells which visit is meant.
    pub fn merge_visits(&mut self, a: &PathFormula, b: &PathFormula) -> PathFormula {
        let first = self.selector(a, b);
        let second = self.terms.not(first);
        let (mut a, mut b) = (a.clone(), b.clone());
        self.restrict(&mut a, first);
        self.restrict(&mut b, second);
        self.merge(&a, &b)
    }

    /// The paths of both formulas, which describe the same location. No execution takes paths of both, so either guard
    /// tells which values count.
    pub fn merge(&mut self, a: &PathFormula, b: &PathFormula) -> PathFormula {
        debug_assert!(a.activations == b.activations, "merged states have the same call stack");
        let (path_a, path_b) = (self.path(a), self.path(b));
        let (common, only_a, only_b) = self.paths.split(&mut self.terms, path_a, path_b);
        let either = self.terms.or(only_a, only_b);
        let path = self.paths.push(&mut self.terms, common, either);
        // The condition with the smaller number was made first: it is the simpler one, most often an atom.
        let by_b = only_b <= only_a;
        let mut env = a.env.clone();
        let changed: Vec<(Cell, Option<Term>, Option<Term>)> = a
            .env
            .diff(&b.env)
            .map(|item| match item {
                DiffItem::Add(&cell, &new) => (cell, None, Some(new)),
                DiffItem::Update { old: (&cell, &old), new: (_, &new) } => (cell, Some(old), Some(new)),
                DiffItem::Remove(&cell, &old) => (cell, Some(old), None),
            })
            .collect();
        for (cell, in_a, in_b) in changed {
            let in_a = in_a.unwrap_or_else(|| self.input(cell));
            let in_b = in_b.unwrap_or_else(|| self.input(cell));
            let value = if by_b { self.terms.ite(only_b, in_b, in_a) } else { self.terms.ite(only_a, in_a, in_b) };
            env.insert(cell, value);
        }
        PathFormula {
            guard: self.paths.node(path).all,
            env,
            choices: a.choices.max(b.choices),
            activations: a.activations.clone(),
            path,
        }
    }
}
