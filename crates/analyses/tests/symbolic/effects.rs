//! The effect of each step, applied to a concrete state, gives the state that the interpreter has after it.

use crate::follow::{PATTERN, Values, compile};
use crate::random::{Shape, program};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{
    AllocKind, DataModel, Expr, ExprId, FuncId, ObjId, ObjectKind, Op, Ty, UnOp, VarId, VarKind, fold,
};
use robusto_cpa::{Effect, Frame, Guard, Memory, Step, Value};
use robusto_interp::{Change, Code, Config, EdgeRef, Machine, Observer, Outcome, Streams, View};
use robusto_testing::Random;
use std::collections::{BTreeMap, HashMap};

/// The variables and objects of a pending call.
#[derive(Default)]
struct Activation {
    vars: HashMap<VarId, u128>,
    objects: HashMap<ObjId, u64>,
    /// Where its objects and variable-length arrays lie, and how long they are.
    ranges: Vec<(u64, u64)>,
}

/// A state that changes by effects only. What an effect leaves open is taken from the interpreter.
struct Concrete<'f> {
    facts: &'f Facts,
    globals: HashMap<VarId, u128>,
    stack: Vec<Activation>,
    calls: Vec<Step>,
    memory: BTreeMap<u64, u8>,
    heap: HashMap<u64, u64>,
    /// How often each kind of step has been compared.
    seen: BTreeMap<&'static str, u64>,
    steps: u64,
}

impl<'f> Concrete<'f> {
    fn new(facts: &'f Facts) -> Self {
        Self {
            facts,
            globals: HashMap::new(),
            stack: Vec::new(),
            calls: Vec::new(),
            memory: BTreeMap::new(),
            heap: HashMap::new(),
            seen: BTreeMap::new(),
            steps: 0,
        }
    }

    fn top(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("main is pending")
    }

    fn var(&self, var: VarId) -> u128 {
        let info = &self.facts.program.vars[var];
        let values = match info.kind {
            VarKind::Global(_) => &self.globals,
            _ => &self.stack.last().expect("main is pending").vars,
        };
        *values.get(&var).unwrap_or_else(|| panic!("{} has no value", info.name))
    }

    fn set(&mut self, var: VarId, value: u128) {
        match self.facts.program.vars[var].kind {
            VarKind::Global(_) => self.globals.insert(var, value),
            _ => self.top().vars.insert(var, value),
        };
    }

    fn write(&mut self, addr: u64, bytes: impl IntoIterator<Item = u8>) {
        for (i, byte) in bytes.into_iter().enumerate() {
            self.memory.insert(addr + i as u64, byte);
        }
    }

    fn read(&self, addr: u64, size: u64) -> Vec<u8> {
        let byte = |a| *self.memory.get(&a).unwrap_or_else(|| panic!("no byte at {a:#x}"));
        (addr..addr + size).map(byte).collect()
    }

    fn end_range(&mut self, (addr, size): (u64, u64)) {
        for at in addr..addr + size {
            self.memory.remove(&at);
        }
    }

    fn address(&self, view: &View<'_>, object: ObjId) -> u64 {
        match self.facts.program.objects[object].kind {
            ObjectKind::Local(_) => self.stack.last().expect("main is pending").objects[&object],
            _ => view.address(object).expect("a static object"),
        }
    }

    fn eval(&self, view: &View<'_>, e: ExprId) -> u128 {
        let program = &self.facts.program;
        let (exprs, model) = (&program.exprs, program.model);
        let ty = exprs.ty(e);
        let mask = |value: u128| value & (u128::MAX >> (128 - ty.bits(model)));
        let wide = |ty: Ty| ty.is_wide();
        match exprs.get(e) {
            Expr::Const(_, bits) => bits.into(),
            Expr::Var(var) => self.var(var),
            Expr::ObjAddr(object) => self.address(view, object).into(),
            Expr::FuncAddr(function) => self.function_address(view, function).into(),
            Expr::Load(_, addr) => {
                let addr = self.eval(view, addr) as u64;
                let bytes = self.read(addr, ty.size(model));
                mask(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte)))
            }
            Expr::Unary(UnOp::Neg, a) => mask(self.eval(view, a).wrapping_neg()),
            Expr::Unary(UnOp::Not, a) => mask(!self.eval(view, a)),
            Expr::Unary(UnOp::FNeg, a) if wide(ty) => fold::unary_wide(UnOp::FNeg, self.eval(view, a)),
            Expr::Unary(UnOp::FNeg, a) => fold::unary(UnOp::FNeg, ty, self.eval(view, a) as u64).into(),
            Expr::Binary(op, a, b) => {
                let of = exprs.ty(a);
                let (a, b) = (self.eval(view, a), self.eval(view, b));
                if wide(of) {
                    fold::binary_wide(op, of, a, b)
                } else {
                    fold::binary(op, of, of.bits(model), a as u64, b as u64).into()
                }
            }
            Expr::Cast(op, to, a) => {
                let from = exprs.ty(a);
                let a = self.eval(view, a);
                if wide(from) || wide(to) {
                    fold::cast_wide(op, from, to, model, a)
                } else {
                    fold::cast(op, from, to, model, a as u64).into()
                }
            }
            Expr::Holds(..) => unreachable!("only properties of memory ask for it"),
        }
    }

    fn function_address(&self, view: &View<'_>, function: FuncId) -> u64 {
        let layout = robusto_interp::Layout::new(view.program);
        layout.function(function)
    }

    fn holds(&self, view: &View<'_>, guard: Guard) -> bool {
        match guard {
            Guard::Always => true,
            Guard::Test { cond, truth } => (self.eval(view, cond) == 1) == truth,
            Guard::Calls { pointer, callee } => view.function_at(self.eval(view, pointer) as u64) == Some(callee),
            Guard::Paths { .. } => unreachable!("the interpreter takes no blocks"),
        }
    }

    /// Takes a step. The view shows the interpreter's state after it.
    fn take(&mut self, view: &View<'_>, step: Step) {
        let facts = self.facts;
        let effect = Effect::of(facts, step);
        assert!(self.holds(view, effect.guard), "the guard of a step that is taken holds");
        if let Step::Edge(function, taken) = step {
            let body = &facts.program.functions[function];
            for (other, _) in body.out(body.edge(taken).src).filter(|&(edge, _)| edge != taken) {
                let other = Effect::of(facts, Step::Edge(function, other));
                assert!(!self.holds(view, other.guard), "the guard of the other branch does not hold");
            }
        }
        let values: Vec<(VarId, Option<u128>)> = effect
            .assign
            .iter()
            .map(|&(var, value)| match value {
                Value::Expr(e) => (var, Some(self.eval(view, e))),
                Value::Any | Value::Mismatched | Value::Allocated | Value::Library(..) => (var, None),
            })
            .collect();
        let allocated = effect.assign.iter().find(|(_, value)| *value == Value::Allocated);
        let allocated = allocated.map(|&(var, _)| view.var(var).expect("its own") as u64);
        self.take_memory(view, effect.memory, allocated);
        // In the frame that was on top.
        let dying = |state: &mut Self| {
            for var in &effect.dying {
                match facts.program.vars[*var].kind {
                    VarKind::Global(_) => state.globals.remove(var),
                    _ => state.top().vars.remove(var),
                };
            }
        };
        match effect.frame {
            Frame::Same => dying(self),
            Frame::Push(callee) => {
                dying(self);
                self.begin(view, callee);
            }
            Frame::Pop(_) => {
                dying(self);
                for range in self.stack.pop().expect("it was pushed").ranges {
                    self.end_range(range);
                }
            }
        }
        for (var, value) in values {
            self.set(var, value.unwrap_or_else(|| view.var(var).expect("its own")));
        }
        let kind = match (step, effect.memory) {
            (Step::Enter { .. }, _) if matches!(effect.guard, Guard::Calls { .. }) => "indirect call",
            (Step::Enter { .. }, _) => "call",
            (Step::Leave { .. }, _) => "return",
            (_, Memory::Keep) if matches!(effect.guard, Guard::Test { .. }) => "test",
            (_, Memory::Keep) => "assignment",
            (_, Memory::Store { .. }) => "store",
            (_, Memory::Copy { .. }) => "copy",
            (_, Memory::Fill { .. }) => "fill",
            (_, Memory::Havoc { .. }) => "havoc",
            (_, Memory::Alloc { .. }) => "alloc",
            (_, Memory::Free { .. }) => "free",
            (_, Memory::Library(..)) => "library",
        };
        *self.seen.entry(kind).or_default() += 1;
    }

    fn take_memory(&mut self, view: &View<'_>, memory: Memory<'_>, allocated: Option<u64>) {
        let program = &self.facts.program;
        let number = |state: &Self, e: ExprId| state.eval(view, e) as u64;
        match memory {
            Memory::Keep => {}
            Memory::Store { addr, value } => {
                let size = program.exprs.ty(value).size(program.model) as usize;
                let (addr, value) = (number(self, addr), self.eval(view, value));
                self.write(addr, value.to_le_bytes()[..size].to_vec());
            }
            Memory::Copy { dst, src, size } => {
                let bytes = self.read(number(self, src), number(self, size));
                self.write(number(self, dst), bytes);
            }
            Memory::Fill { dst, byte, size } => {
                let (dst, byte, size) = (number(self, dst), number(self, byte) as u8, number(self, size));
                self.write(dst, vec![byte; size as usize]);
            }
            Memory::Havoc { addr, size } => {
                let (addr, size) = (number(self, addr), number(self, size));
                self.write(addr, vec![PATTERN; size as usize]);
            }
            Memory::Alloc { size, kind, zeroed } => {
                let size = number(self, size);
                // Nobody can reach an object whose address is not kept.
                let Some(addr) = allocated else { return };
                self.write(addr, vec![if zeroed { 0 } else { PATTERN }; size as usize]);
                match kind {
                    AllocKind::Heap | AllocKind::Library | AllocKind::Caller => drop(self.heap.insert(addr, size)),
                    AllocKind::Stack => self.top().ranges.push((addr, size)),
                }
            }
            Memory::Free { ptr, kind } => {
                let addr = number(self, ptr);
                let size = match kind {
                    AllocKind::Heap | AllocKind::Library | AllocKind::Caller => self.heap.remove(&addr),
                    AllocKind::Stack => {
                        let ranges = &mut self.top().ranges;
                        let at = ranges.iter().position(|range| range.0 == addr);
                        at.map(|at| ranges.remove(at).1)
                    }
                };
                assert!(size.is_some() || addr == 0, "an object at {addr:#x} ends that never began");
                self.end_range((addr, size.unwrap_or(0)));
            }
            Memory::Library(..) => unreachable!("no program here calls a library function that writes"),
        }
    }

    /// A function is entered: only its objects have anything, and that is the pattern.
    fn begin(&mut self, view: &View<'_>, function: FuncId) {
        let program = &self.facts.program;
        let mut activation = Activation::default();
        for &object in &program.functions[function].objects {
            let (addr, size) = (view.address(object).expect("its own"), program.objects[object].size);
            self.write(addr, vec![PATTERN; size as usize]);
            activation.objects.insert(object, addr);
            activation.ranges.push((addr, size));
        }
        self.stack.push(activation);
    }

    /// All that the state knows is so.
    fn check(&self, view: &View<'_>, change: Change, line: u32) {
        let vars = self.globals.iter().chain(&self.stack.last().expect("main is pending").vars);
        for (&var, &value) in vars {
            let name = &self.facts.program.vars[var].name;
            let found = view.var(var).expect("visible");
            assert_eq!(value, found, "{name} after line {line}: {value:#x} instead of {found:#x}");
        }
        if let Change::Memory { addr, size } = change {
            assert_eq!(view.memory.bytes(addr, size), Some(&self.read(addr, size)[..]), "memory after line {line}");
        }
        if self.steps.is_multiple_of(16) {
            for (&addr, byte) in &self.memory {
                assert_eq!(view.memory.bytes(addr, 1), Some(&[*byte][..]), "at {addr:#x} after line {line}");
            }
        }
    }
}

impl Observer for Concrete<'_> {
    fn call(&mut self, view: &View<'_>, function: FuncId) {
        if !self.stack.is_empty() {
            return;
        }
        let program = &self.facts.program;
        self.begin(view, function);
        for &param in &program.functions[function].params {
            self.set(param, view.var(param).expect("a parameter"));
        }
        for (var, info) in program.vars.enumerate() {
            if let VarKind::Global(init) = info.kind {
                let value = self.eval(view, init);
                self.set(var, value);
            }
        }
        for (object, info) in program.objects.enumerate() {
            if let Some(addr) = view.address(object).filter(|_| !matches!(info.kind, ObjectKind::Local(_))) {
                let bytes = view.memory.bytes(addr, info.size).expect("statics are readable").to_vec();
                self.write(addr, bytes);
            }
        }
    }

    fn step(&mut self, view: &View<'_>, at: EdgeRef, change: Change) {
        let edge = self.facts.program.functions[at.function].edge(at.edge);
        match edge.op {
            Op::Call { .. } => {
                let (caller, edge, callee) = (at.function, at.edge, view.function);
                self.take(view, Step::Enter { caller, edge, callee });
                self.calls.push(Step::Leave { callee, caller, edge });
            }
            Op::Return { .. } => {
                self.take(view, Step::Edge(at.function, at.edge));
                let leave = self.calls.pop().expect("main's return ends the execution");
                self.take(view, leave);
            }
            _ => self.take(view, Step::Edge(at.function, at.edge)),
        }
        self.steps += 1;
        self.check(view, change, edge.pos.line);
    }
}

/// Runs a program; gives how it ended and what was compared.
fn run(facts: &Facts, seed: u64) -> (Outcome, BTreeMap<&'static str, u64>) {
    let mut state = Concrete::new(facts);
    let code = Code::new(&facts.program);
    let mut inputs = Values(Random::new(seed));
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let streams = Streams { out: &mut out, err: &mut err };
    let config = Config { max_steps: Some(1500), ..Config::default() };
    let outcome =
        Machine::new(&facts.program, &code, config, &mut inputs, &mut state, streams).expect("it can start").run();
    (outcome, state.seen)
}

#[test]
fn random_programs() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..400 {
        let text = program(seed, Shape::All, "");
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let facts = Facts::of(compile(&text, model));
        let result = std::panic::catch_unwind(|| run(&facts, seed));
        let (outcome, compared) = result.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        match outcome {
            Outcome::Exited(0) | Outcome::StepLimit | Outcome::Undefined { .. } => {}
            other => panic!("{}\n{text}", other.describe(&facts.program)),
        }
        for (kind, count) in compared {
            *seen.entry(kind).or_default() += count;
        }
    }
    for kind in ["test", "assignment", "store", "copy", "fill", "call", "return"] {
        assert!(seen.get(kind).is_some_and(|&count| count > 500), "{kind}: {seen:?}");
    }
}

/// What random programs have not: the heap, variable-length arrays, pointers to functions, wide numbers, doubles.
#[test]
fn the_other_effects() {
    let text = "
        typedef typeof(sizeof 0) size_t;
        extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
        extern unsigned __VERIFIER_nondet_uint(void); extern double fabs(double); extern int printf(const char *, ...);
        struct node { int value; struct node *next; };
        int total;
        int twice(int x) { return 2 * x; } int negate(int x) { total += x; return -x; }
        int (*chosen)(int) = twice;
        int odd(int n); int even(int n) { int m = n; return m == 0 ? 1 : odd(m - 1); }
        int odd(int n) { int m = n; return m == 0 ? 0 : even(m - 1); }
        int both(int n) { if (n < 2) return n; int left = both(n - 1); return left + both(n - 2); }
        int main() {
            struct node *list = 0;
            for (unsigned i = 0; i < 5; i++) {
                struct node *n = i & 1 ? malloc(sizeof *n) : calloc(1, sizeof *n);
                n->value = __VERIFIER_nondet_uint() & 7; n->next = list; list = n;
                int vla[i + 1]; vla[i] = n->value; total += vla[i];
            }
            while (list) {
                struct node *n = list;
                chosen = n->value & 1 ? twice : negate;
                total += chosen(n->value);
                list = n->next; free(n);
            }
            int undefined[3]; int copy = undefined[total & 1];
            double d = -1.5 * total; d = fabs(d); printf(\"%f\", d);
            __int128 wide = (__int128)total * total; wide = wide * wide + copy; total = (int)(wide >> 3);
            return even(5) + both(6) == 8 ? 0 : 1;
        }";
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let text = if model == DataModel::Ilp32 { text.replace("__int128", "long long") } else { text.to_owned() };
        let facts = Facts::of(compile(&text, model));
        for seed in 0..10 {
            let (outcome, compared) = run(&facts, seed);
            assert!(matches!(outcome, Outcome::Exited(0)), "{}", outcome.describe(&facts.program));
            for (kind, count) in compared {
                *seen.entry(kind).or_default() += count;
            }
        }
    }
    for kind in ["alloc", "free", "indirect call", "call", "return", "havoc"] {
        assert!(seen.get(kind).is_some_and(|&count| count > 10), "{kind}: {seen:?}");
    }
}
