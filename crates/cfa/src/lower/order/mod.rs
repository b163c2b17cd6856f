//! The order of evaluation, which C leaves open (C11 6.5 paragraph 3).
//!
//! Before an expression is lowered, its evaluations are listed (`events`). Two of them *conflict* if one is not below
//! the other and their order may be seen: a call writes what the other touches, or one may end the execution before the
//! other violates a property. Without a conflict, nothing is done. Else the conflicting evaluations are lowered first,
//! in every order that C allows and that some conflict tells from the others, behind a nondeterministic choice; their
//! values are held in temporaries, which the lowering of the whole expression then takes in their place.
//!
//! What calls touch is found from the text of the functions (`scan`, `summaries`): variables by name, and memory behind
//! pointers as one thing. That may see conflicts where there are none, never the other way round. Choice 0 is the order
//! that gcc takes without optimisation: calls from left to right, plain reads last.
//!
//! Accesses without a call between them conflict only where both name the variable: otherwise the program is undefined.
//! An order that is not tried, because there are too many or because an evaluation falls between the parts of `?:`,
//! `&&`, `||` or a comma, is an `unsupported` edge beside the others.

mod effects;
mod events;
mod forms;
mod library;
mod scan;
mod summaries;

pub use forms::{acts, acts_init};
pub use library::evaluates_arguments;
pub use summaries::Summaries;

use super::{Lower, R, Val};
use crate::ir::{HavocSource, Op, Ty, VarId};
use events::Event;
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;
use rustc_hash::FxHashSet;

/// An operand among others whose order is open.
#[derive(Clone, Copy)]
pub(super) enum Operand<'e, 'a> {
    /// Its value.
    Value(&'e Expr<'a>),
    /// Its address.
    Place(&'e Expr<'a>),
    /// Its address and its value, for a compound assignment.
    Updated(&'e Expr<'a>),
    /// Its value, and nothing comes between its parts (the elements of an initialiser).
    Whole(&'e Expr<'a>),
}

impl<'e, 'a> Operand<'e, 'a> {
    fn expr(self) -> &'e Expr<'a> {
        match self {
            Operand::Value(e) | Operand::Place(e) | Operand::Updated(e) | Operand::Whole(e) => e,
        }
    }
}

/// Most evaluations that are permuted.
const MAX_EVENTS: usize = 6;

/// Most orders that are tried.
const MAX_ORDERS: usize = 24;

/// Most choices inside of each other.
const MAX_DEPTH: u32 = 2;

/// Where a value is held: a variable, or the address of a struct's bytes.
#[derive(Clone, Copy)]
enum Holder {
    Var(VarId),
    Bytes(crate::ir::ExprId),
    Nothing,
}

/// An order of evaluations, by their numbers.
type Order = Vec<usize>;

impl<'a> Lower<'a, '_> {
    /// Lowers an expression whose operands C does not order.
    pub(super) fn unsequenced<T>(
        &mut self,
        operands: &[Operand<'_, 'a>],
        span: Span,
        lower: impl FnOnce(&mut Self) -> R<T>,
    ) -> R<T> {
        if self.fun.planned || self.fun.quiet || self.in_model {
            return lower(self);
        }
        let open = operands.iter().any(|o| forms::acts(o.expr())) && !forms::alone(operands);
        let held = if open { self.plan(operands, span)? } else { Vec::new() };
        self.fun.planned = true;
        let result = lower(self);
        self.fun.planned = false;
        for key in held {
            self.fun.held.remove(&key);
        }
        result
    }

    /// Lowers the elements of an initialiser: in any order, but one after the other (C11 6.7.9 paragraph 23).
    pub(super) fn indeterminate<T>(
        &mut self,
        elements: &[&Expr<'a>],
        span: Span,
        lower: impl FnOnce(&mut Self) -> R<T>,
    ) -> R<T> {
        let outer = std::mem::replace(&mut self.fun.planned, false);
        let wanted = !self.fun.quiet && !self.in_model && elements.iter().any(|e| forms::acts(e));
        let operands: Vec<Operand<'_, 'a>> =
            if wanted { elements.iter().map(|e| Operand::Whole(e)).collect() } else { Vec::new() };
        let held = if wanted { self.plan(&operands, span) } else { Ok(Vec::new()) };
        let result = held.and_then(|held| {
            let result = lower(self);
            for key in held {
                self.fun.held.remove(&key);
            }
            result
        });
        self.fun.planned = outer;
        result
    }

    /// Lowers what stands behind a sequence point.
    pub(super) fn sequenced<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.fun.planned, false);
        let result = lower(self);
        self.fun.planned = outer;
        result
    }

    /// The value of an expression that has been evaluated already.
    pub(super) fn held(&self, e: &Expr<'a>) -> Option<Val> {
        if self.fun.held.is_empty() { None } else { self.fun.held.get(&key(e)).copied() }
    }

    /// Evaluates what conflicts, in all orders; says what is held now.
    fn plan(&mut self, operands: &[Operand<'_, 'a>], span: Span) -> R<Vec<usize>> {
        let events = self.evaluations(operands);
        let conflicts = self.conflicts(&events);
        if conflicts.is_empty() {
            return Ok(Vec::new());
        }
        let active = active(&events, &conflicts);
        let whole = operands.iter().any(|o| matches!(o, Operand::Whole(_)));
        let (orders, complete) = self.orders(&events, &active, &conflicts);
        self.at_span(span);
        let mut holders: Vec<Option<(Holder, Val)>> = vec![None; active.len()];
        let (end, last) = (self.location(), orders.len() - 1);
        for (i, order) in orders.iter().enumerate() {
            let next = (i < last || !complete).then(|| self.choice());
            self.evaluate_in_order(&events, &active, order, &mut holders, whole)?;
            self.jump(end);
            if let Some(next) = next {
                self.fun.at = next;
            }
        }
        if !complete {
            self.at_span(span);
            self.unsupported("an order of evaluation that is not tried");
            self.jump(end);
        }
        self.fun.at = end;
        let mut keys = Vec::with_capacity(active.len());
        for (&event, holder) in active.iter().zip(holders) {
            let Some((_, value)) = holder else { continue };
            let key = key(events[event].node);
            self.fun.held.insert(key, value);
            keys.push(key);
        }
        Ok(keys)
    }

    /// Chooses whether to stay; gives the location to go on from otherwise.
    fn choice(&mut self) -> crate::ir::LocId {
        let bit = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var: bit, source: HavocSource::Order });
        let (here, next) = (self.location(), self.location());
        let cond = self.program.exprs.var(bit);
        self.branch(cond, next, here);
        self.fun.at = here;
        next
    }

    fn evaluate_in_order(
        &mut self,
        events: &[Event<'_, 'a>],
        active: &[usize],
        order: &Order,
        holders: &mut [Option<(Holder, Val)>],
        whole: bool,
    ) -> R<()> {
        self.fun.choices += 1;
        let mut keys = Vec::with_capacity(order.len());
        let mut result = Ok(());
        for &index in order {
            let node = events[active[index]].node;
            self.fun.planned = !whole;
            let value = self.rvalue(node);
            self.fun.planned = false;
            match value {
                Ok(value) => {
                    let held = self.hold(value, &mut holders[index]);
                    self.fun.held.insert(key(node), held);
                    keys.push(key(node));
                }
                Err(failed) => {
                    result = Err(failed);
                    break;
                }
            }
        }
        for key in keys {
            self.fun.held.remove(&key);
        }
        self.fun.choices -= 1;
        result
    }

    /// Puts a value where all orders leave it.
    fn hold(&mut self, value: Val, holder: &mut Option<(Holder, Val)>) -> Val {
        let (place, held) = *holder.get_or_insert_with(|| {
            if let Some(var) = self.result_var(value.ty) {
                (Holder::Var(var), self.var_value(Some(var), value.ty))
            } else if self.types.is_aggregate(value.ty) {
                let e = self.temp_object(value.ty);
                (Holder::Bytes(e), Val { e, ty: value.ty })
            } else {
                (Holder::Nothing, value)
            }
        });
        match place {
            Holder::Var(var) => self.assign_var(var, value.e),
            Holder::Bytes(addr) => self.copy_aggregate(addr, value),
            Holder::Nothing => {}
        }
        held
    }

    /// Pairs of evaluations whose order may be seen, the smaller number first.
    fn conflicts(&self, events: &[Event<'_, 'a>]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (i, a) in events.iter().enumerate() {
            for (j, b) in events.iter().enumerate().skip(i + 1) {
                let ordered = b.first <= i;
                if !ordered && (a.effects.acts() || b.effects.acts()) && self.conflict(a, b) {
                    found.push((i, j));
                }
            }
        }
        found
    }

    /// The orders to try, by numbers in `active`, and whether these are all.
    fn orders(
        &mut self,
        events: &[Event<'_, 'a>],
        active: &[usize],
        conflicts: &[(usize, usize)],
    ) -> (Vec<Order>, bool) {
        let default = default_order(events, active, !self.checks().any_arithmetic());
        let repeatable = active.iter().all(|&event| forms::repeatable(events[event].node));
        if active.len() > MAX_EVENTS || self.fun.choices >= MAX_DEPTH || !repeatable {
            return (vec![default], false);
        }
        let mut search = Search { events, active, conflicts, seen: FxHashSet::default(), found: Vec::new() };
        let mut complete = search.extend(&default, &mut Vec::new());
        for &(i, j) in conflicts {
            for (whole, other) in [(i, j), (j, i)] {
                complete &= !(events[whole].parts && self.falls_between(&events[whole], &events[other]));
            }
        }
        (search.found, complete)
    }
}

/// The evaluations that are lowered ahead: those in conflict, and what would otherwise be evaluated twice.
fn active(events: &[Event<'_, '_>], conflicts: &[(usize, usize)]) -> Vec<usize> {
    let mut wanted = vec![false; events.len()];
    for &(i, j) in conflicts {
        (wanted[i], wanted[j]) = (true, true);
    }
    for (i, event) in events.iter().enumerate() {
        if wanted[i] && event.updated {
            for below in event.first..i {
                wanted[below] |= !events[below].lazy;
            }
        }
    }
    (0..events.len()).filter(|&i| wanted[i]).collect()
}

/// The order that comes first: as the text has it, but reads right before what needs them, as far as the lowering puts
/// them off; with checks of arithmetic it does not.
fn default_order(events: &[Event<'_, '_>], active: &[usize], lazy: bool) -> Order {
    let (mut order, mut waiting) = (Vec::with_capacity(active.len()), Vec::new());
    for (index, &event) in active.iter().enumerate() {
        if lazy && events[event].lazy {
            waiting.push(index);
            continue;
        }
        waiting.retain(|&read| {
            let needed = events[event].first <= active[read];
            if needed {
                order.push(read);
            }
            !needed
        });
        order.push(index);
    }
    order.extend(waiting);
    order
}

/// Looks for the orders that conflicts tell apart.
struct Search<'s, 'e, 'a> {
    events: &'s [Event<'e, 'a>],
    active: &'s [usize],
    conflicts: &'s [(usize, usize)],
    seen: FxHashSet<Vec<bool>>,
    found: Vec<Order>,
}

impl Search<'_, '_, '_> {
    /// Extends a beginning by what may come next, in the default order; says whether nothing had to be left out.
    fn extend(&mut self, default: &Order, begun: &mut Order) -> bool {
        if begun.len() == default.len() {
            let at = |event: usize| begun.iter().position(|&index| self.active[index] == event);
            let signature = self.conflicts.iter().map(|&(i, j)| at(i) < at(j)).collect();
            if self.seen.insert(signature) {
                if self.found.len() == MAX_ORDERS {
                    return false;
                }
                self.found.push(begun.clone());
            }
            return true;
        }
        for &index in default {
            let event = self.active[index];
            let below = |other: usize| other < event && self.events[event].first <= other;
            let ready = default.iter().all(|&other| begun.contains(&other) || !below(self.active[other]));
            if begun.contains(&index) || !ready {
                continue;
            }
            begun.push(index);
            let complete = self.extend(default, begun);
            begun.pop();
            if !complete {
                return false;
            }
        }
        true
    }
}

/// Expressions are told apart by where they lie in the arena.
fn key(e: &Expr<'_>) -> usize {
    std::ptr::from_ref(e) as usize
}
