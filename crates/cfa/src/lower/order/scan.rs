//! What a piece of C may touch, judged by its text alone: no types, no scopes but its own.

use super::effects::{Effects, Ends};
use super::forms::{acts, counts, names_in};
use robusto_syntax::ast::{
    ArraySize, Block, Declaration, Declarator, DeclaratorPart, Designator, Expr, ExprKind, FunctionDef, Init,
    InitDeclarator, Stmt, StmtKind, Storage, TypeName, TypeSpec, UnaryOp,
};
use robusto_syntax::{Interner, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the names at file scope.
#[derive(Default, Debug)]
pub struct FileNames {
    /// Variables.
    pub objects: FxHashSet<Symbol>,
    /// Variables that are declared as arrays.
    pub arrays: FxHashSet<Symbol>,
    /// Functions.
    pub functions: FxHashSet<Symbol>,
}

/// What the scopes around a piece say of a name: whether it is a variable, and an array.
pub type Around<'n> = &'n dyn Fn(Symbol) -> Option<bool>;

/// Names whose address a piece of C takes, by how.
#[derive(Default, Debug)]
pub struct Taken {
    /// `&x`, `&x.m`
    pub address: FxHashSet<Symbol>,
    /// `x` as a value: the address of an array or function, the value of anything else.
    pub bare: FxHashSet<Symbol>,
}

/// A function as its text shows it.
#[derive(Default, Debug)]
pub struct Summary {
    /// What its body does; its own variables left out.
    pub effects: Effects,
    /// Of its own variables.
    pub own: Taken,
    /// Of other names.
    pub foreign: Taken,
    /// Names that it declares to mean the same.
    pub same: Vec<(Symbol, Symbol)>,
}

/// A name that the piece itself declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declared {
    /// A variable of its own; as an array.
    Own {
        array: bool,
    },
    /// `static` or `extern`: not fresh in each execution.
    Lasting,
    Function,
}

/// The place that an expression names.
#[derive(Clone, Copy, Default)]
struct Root {
    name: Option<Symbol>,
    memory: bool,
}

/// Walks over a piece of C.
pub struct Scan<'n> {
    names: &'n Interner,
    file: &'n FileNames,
    around: Around<'n>,
    scopes: Vec<FxHashMap<Symbol, Declared>>,
    summary: Summary,
    nested: Vec<(Symbol, Summary)>,
    /// All names that are written, one after the other.
    written: Vec<Symbol>,
}

impl<'n> Scan<'n> {
    fn new(names: &'n Interner, file: &'n FileNames, around: Around<'n>) -> Self {
        Self {
            names,
            file,
            around,
            scopes: vec![FxHashMap::default()],
            summary: Summary::default(),
            nested: Vec::new(),
            written: Vec::new(),
        }
    }

    /// The effects of an expression.
    pub fn expression(names: &'n Interner, file: &'n FileNames, around: Around<'n>, e: &Expr<'_>) -> Effects {
        let mut scan = Self::new(names, file, around);
        scan.value(e);
        scan.summary.effects.tidy()
    }

    /// The effects of a statement expression.
    pub fn statements(names: &'n Interner, file: &'n FileNames, around: Around<'n>, block: &Block<'_>) -> Effects {
        let mut scan = Self::new(names, file, around);
        scan.block(block);
        scan.summary.effects.tidy()
    }

    /// Names whose address an initialiser at file scope takes.
    pub fn taken_by(names: &'n Interner, file: &'n FileNames, init: &Init<'_>) -> Taken {
        let mut scan = Self::new(names, file, &|_| None);
        scan.init(init);
        scan.summary.foreign
    }

    /// A function and those nested in it, by name.
    pub fn function(
        names: &'n Interner,
        file: &'n FileNames,
        around: Around<'n>,
        def: &FunctionDef<'_>,
    ) -> Vec<(Symbol, Summary)> {
        let mut scan = Self::new(names, file, around);
        if let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() {
            for param in params.params {
                scan.type_spec(&param.specs.ty);
                scan.declare(&param.declarator, None, false);
            }
            for &name in params.kr_names {
                scan.own(name, false);
            }
        }
        scan.block(&def.body);
        let Scan { mut summary, nested: mut all, .. } = scan;
        summary.effects = summary.effects.tidy();
        if let Some(name) = def.declarator.name {
            all.push((name, summary));
        }
        all
    }

    // ---- names ----------------------------------------------------------------------------------------------------

    fn own(&mut self, name: Symbol, array: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, Declared::Own { array });
        }
    }

    fn declare(&mut self, declarator: &Declarator<'_>, storage: Option<Storage>, arrays: bool) {
        self.sizes(declarator);
        let Some(name) = declarator.name else { return };
        let declared = match (storage, declarator.parts.first()) {
            (_, Some(DeclaratorPart::Function(_))) => Declared::Function,
            (Some(Storage::Static | Storage::Extern), _) => Declared::Lasting,
            (_, first) => Declared::Own { array: arrays && matches!(first, Some(DeclaratorPart::Array(_))) },
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, declared);
        }
    }

    /// What the piece itself says about a name, if it declares it as its own.
    fn is_own(&self, name: Symbol) -> Option<bool> {
        match self.scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            Some(Declared::Own { array }) => Some(*array),
            _ => None,
        }
    }

    fn is_array(&self, name: Symbol) -> bool {
        let known = self.is_own(name).or_else(|| (self.around)(name));
        known.unwrap_or_else(|| self.file.arrays.contains(&name))
    }

    /// Whether a name may mean a function, and whether it may mean a variable.
    fn may_mean(&self, name: Symbol) -> (bool, bool) {
        match self.scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            Some(Declared::Function) => (true, false),
            Some(_) => (false, true),
            None if (self.around)(name).is_some() => (false, true),
            // In one of several files.
            None => (self.file.functions.contains(&name), self.file.objects.contains(&name)),
        }
    }

    // ---- types ----------------------------------------------------------------------------------------------------

    /// The sizes of arrays in a declarator, which are evaluated.
    fn sizes(&mut self, declarator: &Declarator<'_>) {
        for part in declarator.parts {
            if let DeclaratorPart::Array(ArraySize::Expr(size)) = part {
                self.value(size);
            }
        }
    }

    fn type_name(&mut self, name: &TypeName<'_>) {
        self.type_spec(&name.specs.ty);
        self.sizes(&name.declarator);
    }

    /// `typeof` evaluates its operand if that has a variable size.
    fn type_spec(&mut self, spec: &TypeSpec<'_>) {
        match spec {
            TypeSpec::TypeofExpr(e) if acts(e) => self.value(e),
            TypeSpec::TypeofType(name) => self.type_name(name),
            _ => {}
        }
    }

    fn taken(&mut self, name: Symbol) -> &mut Taken {
        if self.is_own(name).is_some() { &mut self.summary.own } else { &mut self.summary.foreign }
    }

    fn read(&mut self, root: Root) {
        self.summary.effects.reads_memory |= root.memory;
        if let Some(name) = root.name.filter(|&name| self.is_own(name).is_none()) {
            self.summary.effects.reads.push(name);
        }
    }

    fn write(&mut self, root: Root) {
        self.summary.effects.writes_memory |= root.memory;
        self.written.extend(root.name);
        if let Some(name) = root.name.filter(|&name| self.is_own(name).is_none()) {
            self.summary.effects.writes.push(name);
        }
    }

    // ---- expressions ----------------------------------------------------------------------------------------------

    fn value(&mut self, e: &Expr<'_>) {
        match e.kind {
            ExprKind::Ident(name) => {
                self.taken(name).bare.insert(name);
                self.read(Root { name: Some(name), memory: false });
            }
            ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::Unary(UnaryOp::Deref, _)
            | ExprKind::CompoundLiteral(..) => {
                let root = self.place(e);
                self.read(root);
            }
            ExprKind::Unary(UnaryOp::AddressOf, inner) => {
                let root = self.place(inner);
                if let Some(name) = root.name {
                    let taken = self.taken(name);
                    taken.address.insert(name);
                    taken.bare.insert(name);
                }
            }
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, inner)
            | ExprKind::PostIncrement(inner)
            | ExprKind::PostDecrement(inner) => {
                self.summary.effects.ends |= Ends::ARITHMETIC;
                let root = self.place(inner);
                self.read(root);
                self.write(root);
            }
            ExprKind::Unary(op, inner) => {
                if op == UnaryOp::Minus {
                    self.summary.effects.ends |= Ends::ARITHMETIC;
                }
                self.value(inner);
            }
            ExprKind::Binary(op, a, b) => {
                if crate::lower::checks::checked(op).is_some() {
                    self.summary.effects.ends |= Ends::ARITHMETIC;
                }
                self.value(a);
                self.value(b);
            }
            ExprKind::Assign(op, lhs, rhs) => {
                let root = self.place(lhs);
                if let Some(op) = op {
                    self.read(root);
                    if crate::lower::checks::checked(op).is_some() {
                        self.summary.effects.ends |= Ends::ARITHMETIC;
                    }
                }
                self.value(rhs);
                self.write(root);
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                self.value(cond);
                if let Some(then) = then {
                    self.value(then);
                }
                self.value(otherwise);
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Cast(name, inner) => {
                self.type_name(name);
                self.value(inner);
            }
            ExprKind::SizeofType(name) => self.type_name(name),
            // Evaluated if the size is variable.
            ExprKind::SizeofExpr(inner) if acts(inner) => self.value(inner),
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Statement(block) => self.block(block),
            ExprKind::VaArg(list, _) => {
                let root = self.place(list);
                // The list may be the caller's.
                let root = Root { memory: true, ..root };
                self.read(root);
                self.write(root);
            }
            // Which arm is chosen needs types; all of them is more than enough.
            ExprKind::Generic(_, arms) => arms.iter().for_each(|(_, arm)| self.value(arm)),
            ExprKind::ChooseExpr(_, a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(..)
            | ExprKind::Str(..)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..) => {}
        }
    }

    fn place(&mut self, e: &Expr<'_>) -> Root {
        match e.kind {
            ExprKind::Ident(name) => Root { name: Some(name), memory: false },
            ExprKind::Member(inner, _) => self.place(inner),
            ExprKind::Arrow(inner, _) | ExprKind::Unary(UnaryOp::Deref, inner) => {
                self.value(inner);
                Root { name: None, memory: true }
            }
            ExprKind::Index(array, index) => {
                self.value(index);
                match array.kind {
                    ExprKind::Ident(name) if self.is_array(name) => Root { name: Some(name), memory: false },
                    // An array inside the place, or a pointer there.
                    ExprKind::Member(..) | ExprKind::Index(..) => {
                        let root = self.place(array);
                        self.read(root);
                        Root { memory: true, ..root }
                    }
                    _ => {
                        self.value(array);
                        Root { name: None, memory: true }
                    }
                }
            }
            ExprKind::CompoundLiteral(name, init) => {
                self.type_name(name);
                self.init(init);
                Root::default()
            }
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, inner) => self.place(inner),
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => {
                self.value(e);
                Root { name: None, memory: true }
            }
            _ => {
                self.value(e);
                Root::default()
            }
        }
    }

    fn call(&mut self, callee: &Expr<'_>, args: &[Expr<'_>]) {
        let ExprKind::Ident(name) = callee.kind else {
            self.value(callee);
            self.summary.effects.calls_pointer = true;
            return args.iter().for_each(|arg| self.value(arg));
        };
        let (function, variable) = self.may_mean(name);
        if variable {
            self.value(callee);
            self.summary.effects.calls_pointer = true;
        }
        if function || !variable {
            let text = self.names.text(name);
            if !super::library::evaluates_arguments(text) {
                return;
            }
            if super::library::writes_first_argument(text)
                && let Some(list) = args.first()
            {
                let root = self.place(list);
                self.read(root);
                self.write(root);
            }
            self.summary.effects.calls.push(name);
        }
        args.iter().for_each(|arg| self.value(arg));
    }

    fn init(&mut self, init: &Init<'_>) {
        match init {
            Init::Expr(e) => self.value(e),
            Init::List(items, _) => {
                for item in *items {
                    for designator in item.designators {
                        match designator {
                            Designator::Index(e) => self.value(e),
                            Designator::Range(a, b) => {
                                self.value(a);
                                self.value(b);
                            }
                            Designator::Field(..) => {}
                        }
                    }
                    self.init(&item.init);
                }
            }
        }
    }

    // ---- statements -----------------------------------------------------------------------------------------------

    fn block(&mut self, block: &Block<'_>) {
        self.scopes.push(FxHashMap::default());
        let mut dead = false;
        for stmt in block.stmts {
            // Verification tasks put `abort()` behind an error, where it ends what has ended. Other statements count: with
            // another property, the error is a call like others.
            if !(dead && self.ends(stmt)) {
                self.stmt(stmt);
            }
            dead = self.is_error(stmt);
        }
        self.scopes.pop();
    }

    fn is_error(&self, stmt: &Stmt<'_>) -> bool {
        let mut stmt = stmt;
        while let StmtKind::Label(_, inner) = stmt.kind {
            stmt = inner;
        }
        self.called(stmt).is_some_and(|(name, _)| super::library::is_error(name))
    }

    /// Whether a statement is a call that only ends the program.
    fn ends(&self, stmt: &Stmt<'_>) -> bool {
        self.called(stmt).is_some_and(|(name, args)| super::library::is_end(name) && !args.iter().any(acts))
    }

    /// The name and the arguments of a statement that is a call.
    fn called<'e>(&self, stmt: &Stmt<'e>) -> Option<(&'n str, &'e [Expr<'e>])> {
        let StmtKind::Expr(e) = stmt.kind else { return None };
        let ExprKind::Call(callee, args) = e.kind else { return None };
        let ExprKind::Ident(name) = callee.kind else { return None };
        Some((self.names.text(name), args))
    }

    fn scoped(&mut self, stmt: &Stmt<'_>) {
        self.scopes.push(FxHashMap::default());
        self.stmt(stmt);
        self.scopes.pop();
    }

    fn stmt(&mut self, stmt: &Stmt<'_>) {
        match stmt.kind {
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) => self.value(e),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Function(def) => self.nested_function(def),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, then, otherwise) => {
                self.value(cond);
                self.scoped(then);
                if let Some(otherwise) = otherwise {
                    self.scoped(otherwise);
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.value(cond);
                self.scoped(body);
                self.note_endless(Some(cond), None, &[]);
            }
            StmtKind::For(f) => {
                self.scopes.push(FxHashMap::default());
                self.stmt(&f.init);
                f.condition.into_iter().chain(f.step).for_each(|e| self.value(e));
                let before = self.written.len();
                self.scoped(&f.body);
                let written = self.written.split_off(before);
                self.note_endless(f.condition, f.step, &written);
                self.written.extend(written);
                self.scopes.pop();
            }
            StmtKind::Switch(e, body) => {
                self.value(e);
                self.scoped(body);
            }
            StmtKind::Case(_, body) | StmtKind::CaseRange(_, _, body) | StmtKind::Default(body) => self.stmt(body),
            StmtKind::Label(_, body) => {
                // A labelled error is an error already.
                if !self.is_error(body) {
                    self.summary.effects.ends |= Ends::LABEL;
                }
                self.stmt(body);
            }
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    self.value(e);
                }
            }
            StmtKind::Asm(asm) => {
                for output in asm.outputs {
                    let root = self.place(output.expr);
                    self.read(root);
                    self.write(root);
                }
                asm.inputs.iter().for_each(|input| self.value(input.expr));
                self.summary.effects.reads_memory |= asm.clobbers_memory;
                self.summary.effects.writes_memory |= asm.clobbers_memory;
                if self.names.text(asm.template).contains("ud2") {
                    self.summary.effects.ends |= Ends::HALT;
                }
            }
            StmtKind::Empty
            | StmtKind::StaticAssert(_)
            | StmtKind::LocalLabels(_)
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break => {}
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        self.type_spec(&declaration.specs.ty);
        for d in declaration.declarators {
            self.declare(&d.declarator, declaration.specs.storage, true);
            self.note_symbol(declaration, d);
            if let Some(init) = &d.init {
                self.init(init);
            }
        }
    }

    /// Another name of what is declared, and the function that is called when it ends.
    fn note_symbol(&mut self, declaration: &Declaration<'_>, d: &InitDeclarator<'_>) {
        let Some(name) = d.declarator.name else { return };
        self.summary.same.extend(d.asm_name.map(|symbol| (name, symbol)));
        for attr in declaration.specs.attrs.iter().chain(d.declarator.attrs) {
            if self.names.text(attr.name) != "cleanup" {
                continue;
            }
            if let Some(ExprKind::Ident(function)) = attr.args.first().map(|arg| arg.kind) {
                self.summary.effects.calls.push(function);
                let taken = self.taken(name);
                taken.address.insert(name);
                taken.bare.insert(name);
            }
        }
    }

    /// A nested function reaches the variables around it as if through pointers.
    fn nested_function(&mut self, def: &FunctionDef<'_>) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some(name) = def.declarator.name
        {
            scope.insert(name, Declared::Function);
        }
        let (scopes, around) = (&self.scopes, self.around);
        let around = |name| match scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            Some(Declared::Own { array }) => Some(*array),
            Some(Declared::Lasting) => Some(false),
            Some(Declared::Function) => None,
            None => around(name),
        };
        for (name, mut summary) in Scan::function(self.names, self.file, &around, def) {
            let effects = &mut summary.effects;
            for &name in effects.reads.iter().chain(&effects.writes) {
                if self.is_own(name).is_some() {
                    self.summary.own.address.insert(name);
                    self.summary.own.bare.insert(name);
                }
            }
            (effects.reads_memory, effects.writes_memory) = (true, true);
            self.nested.push((name, summary));
        }
    }

    /// A loop may never end, unless it counts or is left at once.
    fn note_endless(&mut self, cond: Option<&Expr<'_>>, step: Option<&Expr<'_>>, written: &[Symbol]) {
        let once = cond.is_some_and(|cond| matches!(cond.kind, ExprKind::Int(lit) if lit.value == 0));
        // The counter and the limit must be its own, and stay as they are in the body.
        let keeps = |name: &Symbol| {
            self.is_own(*name).is_some() && !written.contains(name) && !self.summary.own.address.contains(name)
        };
        let counts = cond.zip(step).is_some_and(|(cond, step)| {
            let mut names = Vec::new();
            counts(cond, step) && names_in(cond, &mut names) && names.iter().all(keeps)
        });
        if !once && !counts {
            self.summary.effects.ends |= Ends::HALT;
        }
    }
}
