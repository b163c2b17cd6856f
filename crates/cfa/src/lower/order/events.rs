//! The evaluations of an expression that C does not order.
//!
//! The operands of an operator, an assignment or a call are evaluated in any order, and their parts may interleave
//! (C11 6.5 paragraph 3); only an operand comes before its operator. So an expression is a tree of evaluations: reads,
//! assignments, increments and calls, each after those below it. `&&`, `||`, `?:` and the comma count as one
//! evaluation, after that of their first operand; what stands behind the sequence point is part of it.

use super::Operand;
use super::effects::{Effects, Ends, Footprint};
use super::forms::{acts, acts_type};
use super::scan::{Around, FileNames, Scan};
use crate::ir::Idx;
use crate::lower::Lower;
use crate::lower::scope::Sym;
use crate::lower::types::{CType, TypeId};
use robusto_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use robusto_syntax::{Interner, Symbol};
use std::rc::Rc;

/// An evaluation.
pub(super) struct Event<'e, 'a> {
    /// The expression that is evaluated.
    pub node: &'e Expr<'a>,
    /// What it does itself, without the evaluations below it.
    pub effects: Effects,
    /// What its calls do.
    pub footprint: Option<Rc<Footprint>>,
    /// The evaluations from this one up to itself are below it.
    pub first: usize,
    /// Has parts behind a sequence point, between which other evaluations may fall.
    pub parts: bool,
    /// Only reads, which the lowering puts off.
    pub lazy: bool,
    /// The place of a compound assignment: evaluated once more for its address.
    pub updated: bool,
}

/// Collects the evaluations of operands, each after those below it.
pub(super) struct Walk<'w, 'e, 'a, 's> {
    lower: &'w mut Lower<'a, 's>,
    events: Vec<Event<'e, 'a>>,
}

impl<'a, 's> Lower<'a, 's> {
    /// The evaluations of these operands.
    pub(super) fn evaluations<'e>(&mut self, operands: &[Operand<'e, 'a>]) -> Vec<Event<'e, 'a>>
    where
        'a: 'e,
    {
        self.read_summaries();
        let mut walk = Walk { lower: self, events: Vec::new() };
        for operand in operands {
            match *operand {
                Operand::Value(e) => walk.value(e),
                Operand::Place(e) => walk.place(e),
                Operand::Updated(e) => walk.updated(e),
                Operand::Whole(e) => walk.whole(e),
            }
        }
        let mut events = walk.events;
        let visible: Vec<usize> = (0..events.len()).filter(|&i| self.is_visible(&events[i].effects)).collect();
        for i in 0..events.len() {
            // A call among local variables needs no further look.
            let beside = |&j: &usize| j > i && events[j].first > i || j < events[i].first;
            if events[i].effects.calls() && visible.iter().any(beside) {
                events[i].footprint = self.footprint(&events[i].effects);
            }
        }
        events
    }

    /// Whether a call could meet these effects.
    fn is_visible(&self, effects: &Effects) -> bool {
        let shared = |&name: &Symbol| !self.is_local(name) || self.is_reachable(name);
        effects.calls()
            || effects.reads_memory
            || effects.writes_memory
            || effects.ends != Ends::default()
            || effects.reads.iter().chain(&effects.writes).any(shared)
    }

    /// Whether the order of two evaluations may be seen.
    pub(super) fn conflict(&self, a: &Event<'_, 'a>, b: &Event<'_, 'a>) -> bool {
        let unchecked = !self.checks().any_arithmetic();
        let ends = |event: &Event<'_, 'a>| {
            let mut ends = event.effects.ends;
            if let Some(footprint) = &event.footprint {
                ends |= footprint.ends;
            }
            if unchecked { ends.without(Ends::ARITHMETIC) } else { ends }
        };
        // Unsequenced accesses to one object without a call between them are undefined; where both name it, both
        // orders are tried all the same.
        let same = |writes: &[Symbol], touched: &[Symbol]| writes.iter().any(|name| touched.contains(name));
        same(&a.effects.writes, &b.effects.writes)
            || same(&a.effects.writes, &b.effects.reads)
            || same(&b.effects.writes, &a.effects.reads)
            || a.footprint.as_ref().is_some_and(|f| self.disturbs(f, &b.effects))
            || b.footprint.as_ref().is_some_and(|f| self.disturbs(f, &a.effects))
            || matches!((&a.footprint, &b.footprint), (Some(f), Some(g))
                if f.meets(g, &|name| self.is_global_reachable(name)))
            || ends(a).compete(ends(b))
    }

    /// Whether a call and another evaluation touch the same thing, one of them writing.
    fn disturbs(&self, call: &Footprint, other: &Effects) -> bool {
        let memory = call.reads_memory || call.writes_memory;
        let written = |name: Symbol| {
            !self.is_local(name) && (call.reads.contains(&name) || call.writes.contains(&name))
                || memory && self.is_reachable(name)
        };
        let read = |name: Symbol| {
            !self.is_local(name) && call.writes.contains(&name) || call.writes_memory && self.is_reachable(name)
        };
        let reachable = |name: &Symbol| self.is_global_reachable(*name);
        other.writes.iter().any(|&name| written(name))
            || other.reads.iter().any(|&name| read(name))
            || other.reads_memory && (call.writes_memory || call.writes.iter().any(reachable))
            || other.writes_memory && (memory || call.writes.iter().chain(&call.reads).any(reachable))
    }

    /// Whether another evaluation falls between the parts of one, so that neither order of the two covers it.
    pub(super) fn falls_between(&mut self, whole: &Event<'_, 'a>, other: &Event<'_, 'a>) -> bool {
        let effects = &whole.effects;
        let mut parts: Vec<Effects> = Vec::new();
        parts.extend(effects.reads.iter().map(|&name| Effects { reads: vec![name], ..Effects::default() }));
        parts.extend(effects.writes.iter().map(|&name| Effects { writes: vec![name], ..Effects::default() }));
        if effects.reads_memory || effects.writes_memory {
            let (reads_memory, writes_memory) = (effects.reads_memory, effects.writes_memory);
            parts.push(Effects { reads_memory, writes_memory, ..Effects::default() });
        }
        parts.extend(effects.calls.iter().map(|&name| Effects { calls: vec![name], ..Effects::default() }));
        if effects.calls_pointer {
            parts.push(Effects { calls_pointer: true, ..Effects::default() });
        }
        let mut met = 0;
        for effects in parts {
            let footprint = self.footprint(&effects);
            let part = Event { effects, footprint, ..*whole };
            met += usize::from(self.conflict(&part, other));
        }
        met > 1
    }
}

impl<'e, 'a: 'e> Walk<'_, 'e, 'a, '_> {
    fn push(&mut self, node: &'e Expr<'a>, first: usize, mut effects: Effects, lazy: bool, parts: bool) {
        if !effects.is_empty() {
            if let Some(summaries) = self.lower.summaries.as_ref().filter(|s| s.has_same()) {
                summaries.add_same(&mut effects.reads);
                summaries.add_same(&mut effects.writes);
            }
            self.events.push(Event { node, effects, footprint: None, first, parts, lazy, updated: false });
        }
    }

    fn read(&mut self, node: &'e Expr<'a>, first: usize) {
        let (name, memory) = self.root(node);
        let effects = Effects { reads: name.into_iter().collect(), reads_memory: memory, ..Effects::default() };
        self.push(node, first, effects, true, false);
    }

    fn write(&mut self, node: &'e Expr<'a>, place: &'e Expr<'a>, first: usize, ends: Ends, reads: bool) {
        let (name, memory) = self.root(place);
        let writes: Vec<Symbol> = name.into_iter().collect();
        let reads = if reads { writes.clone() } else { Vec::new() };
        self.push(
            node,
            first,
            Effects { reads, writes, writes_memory: memory, ends, ..Effects::default() },
            false,
            false,
        );
    }

    /// An operand that is one evaluation, whatever is in it.
    fn whole(&mut self, e: &'e Expr<'a>) {
        let first = self.events.len();
        let effects = self.scan(e);
        self.push(e, first, effects, false, false);
    }

    /// The place of a compound assignment: its old value is read as well.
    fn updated(&mut self, e: &'e Expr<'a>) {
        let first = self.events.len();
        self.place(e);
        self.read(e, first);
        if let Some(event) = self.events.last_mut().filter(|event| std::ptr::eq(event.node, e)) {
            event.updated = true;
        }
    }

    fn value(&mut self, e: &'e Expr<'a>) {
        let first = self.events.len();
        match e.kind {
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::Unary(UnaryOp::Deref, _) => {
                self.place(e);
                if !self.is_address(e) {
                    self.read(e, first);
                }
            }
            ExprKind::Unary(UnaryOp::AddressOf, inner) => self.place(inner),
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, inner)
            | ExprKind::PostIncrement(inner)
            | ExprKind::PostDecrement(inner) => {
                self.place(inner);
                self.write(e, inner, first, Ends::ARITHMETIC, true);
            }
            ExprKind::Unary(op, inner) => {
                self.value(inner);
                if op == UnaryOp::Minus {
                    self.arithmetic(e, first);
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, lhs, rhs) | ExprKind::Comma(lhs, rhs) => {
                self.value(lhs);
                let effects = self.scan(rhs);
                self.push(e, first, effects, false, true);
            }
            ExprKind::Binary(op, lhs, rhs) => {
                self.value(lhs);
                self.value(rhs);
                if crate::lower::checks::checked(op).is_some() {
                    self.arithmetic(e, first);
                }
            }
            ExprKind::Assign(op, lhs, rhs) => {
                match op {
                    Some(_) => self.updated(lhs),
                    None => self.place(lhs),
                }
                self.value(rhs);
                let checked = op.is_some_and(|op| crate::lower::checks::checked(op).is_some());
                self.write(e, lhs, first, if checked { Ends::ARITHMETIC } else { Ends::default() }, false);
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                self.value(cond);
                let mut effects = self.scan(otherwise);
                if let Some(then) = then {
                    let then = self.scan(then);
                    effects.reads.extend(then.reads);
                    effects.writes.extend(then.writes);
                    effects.calls.extend(then.calls);
                    effects.reads_memory |= then.reads_memory;
                    effects.writes_memory |= then.writes_memory;
                    effects.calls_pointer |= then.calls_pointer;
                    effects.ends |= then.ends;
                }
                self.push(e, first, effects.tidy(), false, true);
            }
            ExprKind::Cast(name, inner) => {
                // Sizes in the name of the type and the operand are one evaluation.
                if acts_type(name) {
                    return self.whole(e);
                }
                self.value(inner);
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) if acts(e) => self.whole(e),
            ExprKind::Call(callee, args) => self.call(e, callee, args),
            ExprKind::Statement(block) => {
                let effects = self.scanned(|names, file, around| Scan::statements(names, file, around, block));
                self.push(e, first, effects, false, false);
            }
            ExprKind::CompoundLiteral(..) => {
                let effects = self.scan(e);
                self.push(e, first, effects, false, true);
            }
            ExprKind::VaArg(list, _) => {
                self.place(list);
                // The list may be the caller's.
                let writes: Vec<Symbol> = self.root(list).0.into_iter().collect();
                let effects = Effects { writes, reads_memory: true, writes_memory: true, ..Effects::default() };
                self.push(e, first, effects, false, false);
            }
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => {
                if let Ok(chosen) = self.lower.chosen(e) {
                    self.value(chosen);
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, e: &'e Expr<'a>) {
        match e.kind {
            ExprKind::Ident(_) => {}
            ExprKind::Unary(UnaryOp::Deref, inner) | ExprKind::Arrow(inner, _) => self.value(inner),
            ExprKind::Member(inner, _) => self.place(inner),
            ExprKind::Index(array, index) => {
                self.value(array);
                self.value(index);
            }
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => {
                if let Ok(chosen) = self.lower.chosen(e) {
                    self.place(chosen);
                }
            }
            _ => self.value(e),
        }
    }

    fn call(&mut self, e: &'e Expr<'a>, callee: &'e Expr<'a>, args: &'e [Expr<'a>]) {
        let first = self.events.len();
        let mut effects = Effects::default();
        match callee.kind {
            ExprKind::Ident(name) if matches!(self.lower.scopes.lookup(name), None | Some(Sym::Function(_))) => {
                let text = self.lower.text(name);
                if !super::library::evaluates_arguments(text) {
                    return;
                }
                if super::library::writes_first_argument(text)
                    && let Some(list) = args.first()
                {
                    let (name, memory) = self.root(list);
                    effects.writes.extend(name);
                    effects.writes_memory |= memory;
                }
                effects.calls.push(name);
            }
            _ => {
                self.value(callee);
                effects.calls_pointer = true;
            }
        }
        args.iter().for_each(|arg| self.value(arg));
        self.push(e, first, effects, false, false);
    }

    /// An operator that may be an error.
    fn arithmetic(&mut self, e: &'e Expr<'a>, first: usize) {
        if self.lower.checks().any_arithmetic() {
            self.push(e, first, Effects { ends: Ends::ARITHMETIC, ..Effects::default() }, false, false);
        }
    }

    fn scan(&self, e: &Expr<'a>) -> Effects {
        self.scanned(|names, file, around| Scan::expression(names, file, around, e))
    }

    /// Looks at a piece of the text, whose names are those in scope here.
    fn scanned(&self, scan: impl FnOnce(&Interner, &FileNames, Around<'_>) -> Effects) -> Effects {
        let Some(summaries) = &self.lower.summaries else { return Effects::default() };
        let around = |name| {
            let ty = match self.lower.scopes.lookup(name)? {
                Sym::Object(obj) => self.lower.objects[obj.index()].ty,
                Sym::Vla(_, ty) | Sym::Alias(_, ty) => ty,
                _ => return None,
            };
            Some(matches!(self.lower.types.get(ty), CType::Array(..) | CType::Vla(..)))
        };
        scan(&self.lower.names, &summaries.file, &around)
    }

    // ---- places ---------------------------------------------------------------------------------------------------

    /// The variable that a place is part of, and whether it may be memory behind a pointer.
    fn root(&self, e: &Expr<'a>) -> (Option<Symbol>, bool) {
        match e.kind {
            ExprKind::Ident(name) => (Some(name), false),
            ExprKind::Member(inner, _) => self.root(inner),
            ExprKind::Index(array, _) => match self.type_of(array).map(|ty| self.lower.types.get(ty)) {
                Some(CType::Array(..) | CType::Vla(..)) => self.root(array),
                Some(_) => (None, true),
                None => (self.root(array).0, true),
            },
            ExprKind::Arrow(..) | ExprKind::Unary(UnaryOp::Deref, _) => (None, true),
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => (None, true),
            _ => (None, false),
        }
    }

    /// Whether the value of a place is its address.
    fn is_address(&self, e: &Expr<'a>) -> bool {
        if let ExprKind::Ident(name) = e.kind
            && !matches!(self.lower.scopes.lookup(name), Some(Sym::Object(_) | Sym::Vla(..)))
        {
            return true;
        }
        let ty = self.type_of(e).map(|ty| self.lower.types.get(ty));
        matches!(ty, Some(CType::Array(..) | CType::Vla(..) | CType::Function(_)))
    }

    /// The type of a place, where names and members tell it.
    fn type_of(&self, e: &Expr<'a>) -> Option<TypeId> {
        let types = &self.lower.types;
        match e.kind {
            ExprKind::Ident(name) => match self.lower.scopes.lookup(name)? {
                Sym::Object(obj) => Some(self.lower.objects[obj.index()].ty),
                Sym::Vla(_, ty) => Some(ty),
                _ => None,
            },
            ExprKind::Member(inner, field) => Some(types.find_field(self.type_of(inner)?, field)?.1.ty),
            ExprKind::Arrow(inner, field) => Some(types.find_field(types.pointee(self.type_of(inner)?)?, field)?.1.ty),
            ExprKind::Index(inner, _) | ExprKind::Unary(UnaryOp::Deref, inner) => types.pointee(self.type_of(inner)?),
            ExprKind::Str(..) => None,
            _ => None,
        }
    }
}
