//! Words of a new object that may be read before they are written.
//!
//! What an object holds that was never written may be a pointer from outside. Programs write most of what they allocate before anybody reads it
//! (`p = malloc(…); p->next = head; head = p;`), and the outside does not belong into the points-to sets of a list's links for the rest.
//!
//! A walk from the object's birth over the function's paths, with the words that have been written on each of them, up to the first step that may read
//! the object or leaves the function with it. A word is unset if one of these comes before it is written. To tell such steps, the walk follows
//! which variables certainly, and which possibly, hold the object's address, and whether memory may.
//!
//! Soundness: until its address is stored, only variables of the walk lead to the object; then every pointer that is loaded may. A read through what does neither
//! is one of another object. Objects with more than [`MOST_WORDS`] words, and walks of more than [`MOST_STEPS`] steps, count as unset.

use crate::ir::{BinOp, EdgeId, Expr, ExprId, FuncId, Function, LocId, ObjId, Op, Program, Ty, VarId, fold};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Words of an object that are told apart.
const MOST_WORDS: i64 = 64;

/// Steps of a walk.
const MOST_STEPS: usize = 2_000;

/// The words that may be read before they are written; `None` if they cannot be told apart.
pub(super) fn unset(program: &Program, function: FuncId, birth: EdgeId, size: Option<i64>) -> Option<Vec<i64>> {
    let width = Ty::Ptr.size(program.model) as i64;
    let words = (size? + width - 1) / width;
    if words > MOST_WORDS {
        return None;
    }
    let body = &program.functions[function];
    let object = match body.edge(birth).op {
        Op::HavocMem { addr, .. } => match program.exprs.get(addr) {
            Expr::ObjAddr(object) => Some(object),
            _ => return None,
        },
        _ => None,
    };
    let mut walk = Walk { program, body, birth, object, width, words, set: (0..words).collect() };
    walk.run()?;
    Some((0..words).filter(|word| !walk.set.contains(word)).collect())
}

/// What is known where a path has come to.
#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    /// Variables that hold the address.
    must: BTreeSet<VarId>,
    /// Variables that may hold an address in the object.
    may: BTreeSet<VarId>,
    /// Where the address was stored last, if nothing was written since.
    stored: Option<ExprId>,
    /// Whether memory may hold the address.
    escaped: bool,
    /// Words that have been written.
    set: BTreeSet<i64>,
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        self.must.retain(|var| other.must.contains(var));
        self.may.extend(&other.may);
        self.stored = self.stored.filter(|&at| other.stored == Some(at));
        self.escaped |= other.escaped;
        self.set.retain(|word| other.set.contains(word));
        *self != before
    }
}

struct Walk<'p> {
    program: &'p Program,
    body: &'p Function,
    birth: EdgeId,
    /// The object, if it has a name.
    object: Option<ObjId>,
    width: i64,
    words: i64,
    /// Words that were written on every path to a step that may read the object.
    set: BTreeSet<i64>,
}

impl Walk<'_> {
    fn run(&mut self) -> Option<()> {
        let start = self.body.edge(self.birth);
        let mut first = State::default();
        if let Op::Alloc { var, .. } = start.op {
            self.assign(&mut first, var, true, true);
        }
        let mut known: BTreeMap<LocId, State> = BTreeMap::from([(start.dst, first)]);
        let mut todo = BTreeSet::from([start.dst]);
        let mut steps = 0;
        while let Some(loc) = todo.pop_first() {
            let state = known[&loc].clone();
            for (id, edge) in self.body.out(loc) {
                steps += 1;
                if steps > MOST_STEPS {
                    return None;
                }
                let mut after = state.clone();
                if !self.step(&mut after, id, &edge.op) {
                    continue;
                }
                let changed = match known.get_mut(&edge.dst) {
                    Some(there) => there.join(&after),
                    None => {
                        known.insert(edge.dst, after);
                        true
                    }
                };
                if changed {
                    todo.insert(edge.dst);
                }
            }
        }
        Some(())
    }

    /// The object may be read now.
    fn expose(&mut self, state: &State) -> bool {
        self.set.retain(|word| state.set.contains(word));
        false
    }

    /// Takes a step; whether the walk goes on behind it.
    fn step(&mut self, state: &mut State, id: EdgeId, op: &Op) -> bool {
        let mut roots = Vec::new();
        crate::analysis::uses::for_each_root(op, |root| roots.push(root));
        let reads = |walk: &Self, state: &State| roots.iter().any(|&root| walk.reads(state, root));
        let mentions = |walk: &Self, state: &State| roots.iter().any(|&root| walk.mentions(state, root));
        if reads(self, state) {
            return self.expose(state);
        }
        match *op {
            Op::Skip => {}
            Op::Assume { cond, truth } => return !self.says_null(state, cond, truth),
            Op::Assign { var, value } => {
                let (must, may) = (self.must(state, value), self.mentions(state, value));
                self.assign(state, var, must, may);
            }
            Op::Store { addr, value } => {
                let size = self.program.exprs.ty(value).size(self.program.model) as i64;
                let own = self.write(state, addr, Some(size));
                let apart = |at: ExprId, walk: &Self| !walk.mentions(state, at);
                state.stored = state.stored.filter(|&at| own && apart(at, self));
                if self.mentions(state, value) {
                    state.escaped = true;
                    state.stored = self.must(state, value).then_some(addr);
                }
            }
            Op::Fill { dst, size, .. } => {
                let size = self.program.exprs.as_const(size).and_then(|size| i64::try_from(size).ok());
                self.write(state, dst, size);
                state.stored = None;
            }
            Op::Copy { dst, src, size } => {
                if self.mentions(state, src) || state.escaped && !self.is_named(src) {
                    return self.expose(state);
                }
                let size = self.program.exprs.as_const(size).and_then(|size| i64::try_from(size).ok());
                self.write(state, dst, size);
                state.stored = None;
            }
            Op::Havoc { var, .. } => self.assign(state, var, false, false),
            Op::Alloc { var, .. } => {
                if id == self.birth {
                    return self.expose(state);
                }
                self.assign(state, var, false, false);
            }
            Op::HavocMem { .. } => {
                if id == self.birth || mentions(self, state) || state.escaped {
                    return self.expose(state);
                }
                state.stored = None;
            }
            Op::Free { .. } => {}
            Op::Call { result, .. } => {
                let shared = state.may.iter().any(|&var| self.program.vars[var].kind.owner().is_none());
                if state.escaped || shared || mentions(self, state) {
                    return self.expose(state);
                }
                state.stored = None;
                if let Some(var) = result {
                    self.assign(state, var, false, false);
                }
            }
            Op::Builtin { result, .. } => {
                if state.escaped || mentions(self, state) {
                    return self.expose(state);
                }
                if let Some(var) = result {
                    self.assign(state, var, false, false);
                }
            }
            Op::Return { .. } => {
                let shared = state.may.iter().any(|&var| self.program.vars[var].kind.owner().is_none());
                if state.escaped || shared || mentions(self, state) {
                    self.expose(state);
                }
                return false;
            }
            Op::Halt { .. } | Op::Error(_) | Op::Unsupported(_) => return false,
        }
        true
    }

    fn assign(&self, state: &mut State, var: VarId, must: bool, may: bool) {
        let is_of = |part: ExprId| self.program.exprs.get(part) == Expr::Var(var);
        state.stored = state.stored.filter(|&at| !self.any(at, is_of));
        for (set, holds) in [(&mut state.must, must), (&mut state.may, may || must)] {
            if holds {
                set.insert(var);
            } else {
                set.remove(&var);
            }
        }
    }

    /// Writes so many bytes; whether that is in the object.
    fn write(&self, state: &mut State, addr: ExprId, size: Option<i64>) -> bool {
        let (root, at) = self.split(addr);
        let own = self.must(state, root);
        if let (true, Some(at), Some(size)) = (own, at, size) {
            let (first, end) = (at.div_euclid(self.width) + i64::from(at.rem_euclid(self.width) != 0), at + size);
            let last = if end >= self.words * self.width { self.words } else { end.div_euclid(self.width) };
            state.set.extend(first.max(0)..last.min(self.words));
        }
        own
    }

    /// Whether an expression is the address of the object's first byte.
    fn must(&self, state: &State, value: ExprId) -> bool {
        match self.program.exprs.get(value) {
            Expr::Var(var) => state.must.contains(&var),
            Expr::ObjAddr(object) => Some(object) == self.object,
            Expr::Load(_, at) => state.stored == Some(at),
            _ => false,
        }
    }

    fn is_named(&self, addr: ExprId) -> bool {
        matches!(self.program.exprs.get(self.split(addr).0), Expr::ObjAddr(_))
    }

    /// Whether a value may be computed from an address in the object.
    fn mentions(&self, state: &State, value: ExprId) -> bool {
        self.any(value, |part| match self.program.exprs.get(part) {
            Expr::Var(var) => state.may.contains(&var),
            Expr::ObjAddr(object) => Some(object) == self.object,
            Expr::Load(..) => state.escaped,
            _ => false,
        })
    }

    /// Whether an expression may read the object.
    fn reads(&self, state: &State, value: ExprId) -> bool {
        self.any(value, |part| match self.program.exprs.get(part) {
            Expr::Load(_, addr) => self.mentions(state, addr),
            Expr::Holds(..) => true,
            _ => false,
        })
    }

    /// Whether something is so of an expression or one in it. Expressions share what is equal.
    fn any(&self, root: ExprId, is: impl Fn(ExprId) -> bool) -> bool {
        let (mut todo, mut seen) = (vec![root], FxHashSet::default());
        while let Some(part) = todo.pop() {
            if is(part) {
                return true;
            }
            todo.extend(self.program.exprs.operands(part).filter(|&operand| seen.insert(operand)));
        }
        false
    }

    /// Whether a condition holds only if there is no object.
    fn says_null(&self, state: &State, cond: ExprId, truth: bool) -> bool {
        let exprs = &self.program.exprs;
        let null = |a: ExprId, b: ExprId| self.must(state, a) && exprs.as_const(b) == Some(0);
        match exprs.get(cond) {
            Expr::Binary(BinOp::Eq, a, b) => truth && (null(a, b) || null(b, a)),
            Expr::Binary(BinOp::Ne, a, b) => !truth && (null(a, b) || null(b, a)),
            _ => false,
        }
    }

    /// An address without the constants that are added to it, and their sum if nothing else is added.
    fn split(&self, addr: ExprId) -> (ExprId, Option<i64>) {
        let exprs = &self.program.exprs;
        let bits = u32::from(self.program.model.pointer_bits());
        let (mut at, mut sum) = (addr, Some(0i64));
        while let Expr::Binary(BinOp::PtrAdd, base, offset) = exprs.get(at) {
            let more = exprs.as_const(offset).map(|c| fold::signed(bits, c));
            sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
            at = base;
        }
        (at, sum)
    }
}
