//! Symbols: what links the names of one file with those of another.
//!
//! | C | means |
//! |---|---|
//! | `T x asm("y")`, `#pragma redefine_extname x y` | the symbol of `x` is `y` |
//! | `weak`, `#pragma weak x` | another file's definition goes first; without any, the address may be null |
//! | `alias("y")`, `#pragma weak x = y` | `x` is another name of `y` |
//! | `weakref("y")` | in this file, `x` is the weak symbol `y` |
//! | `ifunc("r")` | at the start of the program `r` says which function `x` is |
//!
//! Names of symbols count for a whole file, so they are collected before it is declared. [`super::aliases`] resolves the
//! rest when all files are declared.

use super::aliases::Alias;
use super::scope::Sym;
use super::{Lower, R};
use crate::ir::{FuncId, Granted, Idx, ObjId, ObjectKind, RelocTarget};
use robusto_syntax::ast::{
    Attribute, DeclSpecs, Declarator, Encoding, Expr, ExprKind, Item, Storage, SymbolPragma, TranslationUnit,
};
use robusto_syntax::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of symbols beyond C's own rules. Files are known by their number.
#[derive(Default)]
pub(super) struct Symbols {
    /// By file and name: the symbol, where it is not the name.
    pub(super) names: FxHashMap<(usize, Symbol), Symbol>,
    /// Names that a file says are weak.
    pub(super) weak: FxHashSet<(usize, Symbol)>,
    pub(super) weakrefs: FxHashSet<(usize, Symbol)>,
    /// `static` functions and objects by their symbols, where some name is not the symbol.
    pub(super) statics: FxHashMap<(usize, Symbol), Sym>,
    /// What is weak, if no file defines it.
    pub(super) weak_functions: FxHashSet<FuncId>,
    pub(super) weak_objects: FxHashSet<ObjId>,
    /// Definitions that another one may replace, with their files; `None` if one of the same file may as well.
    pub(super) replaceable: FxHashMap<FuncId, Option<usize>>,
    /// The definitions of functions: file, whether they are inline, body.
    pub(super) definitions: FxHashMap<FuncId, (usize, bool, Span)>,
    pub(super) weak_definitions: FxHashMap<ObjId, usize>,
    /// Definitions of a file that another file replaced.
    pub(super) replaced: FxHashSet<(usize, FuncId)>,
    pub(super) aliases: Vec<Alias>,
    /// Functions with the functions that choose what they are.
    pub(super) ifuncs: Vec<(FuncId, FuncId)>,
    pub(super) pending_ifuncs: Vec<(FuncId, Symbol, usize, Span)>,
    /// Functions whose calls are not supported, and why.
    pub(super) unsupported: Vec<(FuncId, String)>,
    /// Functions that return like `setjmp`.
    pub(super) twice: FxHashSet<FuncId>,
    /// What `aligned` asks for functions.
    pub(super) alignments: FxHashMap<FuncId, u64>,
    /// Functions that run before and after `main`, with their priorities.
    pub(super) constructors: Vec<(i128, FuncId)>,
    pub(super) destructors: Vec<(i128, FuncId)>,
    /// Something runs before or after `main` that is not known.
    pub(super) unknown_start: Option<String>,
    pub(super) assembly: Vec<(Symbol, Span)>,
    /// Variables that hold the addresses of weak symbols without definition.
    pub(super) addresses: Vec<(RelocTarget, ObjId)>,
    /// The function that `exit` calls.
    pub(super) exit: Option<FuncId>,
}

/// Sections whose content is run before or after `main`.
const STARTING: &[&str] = &[".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

impl<'a> Lower<'a, '_> {
    /// Collects what a file says of its symbols.
    pub(super) fn collect_symbols(&mut self, unit: &TranslationUnit<'a>) {
        for pragma in unit.pragmas {
            match *pragma {
                SymbolPragma::Weak(name) | SymbolPragma::WeakAlias(name, _) => {
                    self.symbols.weak.insert((self.unit, name));
                }
                SymbolPragma::Rename(name, symbol) => {
                    self.symbols.names.insert((self.unit, name), symbol);
                }
            }
        }
        for item in unit.items {
            match item {
                Item::Function(def) => self.collect_names(&def.specs, &def.declarator, None),
                Item::Declaration(declaration) => {
                    for d in declaration.declarators {
                        self.collect_names(&declaration.specs, &d.declarator, d.asm_name);
                    }
                }
                Item::StaticAssert(_) | Item::Asm(..) => {}
            }
        }
    }

    /// Collects what a declaration says of its symbol.
    pub(super) fn collect_names(&mut self, specs: &DeclSpecs<'a>, declarator: &Declarator<'a>, asm: Option<Symbol>) {
        let Some(name) = declarator.name else { return };
        if matches!(specs.storage, Some(Storage::Typedef | Storage::Register)) || self.in_model {
            return;
        }
        if let Some(symbol) = asm
            && !is_version_of(self.text(symbol), self.text(name))
        {
            self.symbols.names.insert((self.unit, name), symbol);
        }
        let mut target = None;
        for attr in specs.attrs.iter().chain(declarator.attrs) {
            match self.text(attr.name) {
                "weak" => {
                    self.symbols.weak.insert((self.unit, name));
                }
                "weakref" => {
                    self.symbols.weak.insert((self.unit, name));
                    self.symbols.weakrefs.insert((self.unit, name));
                    target = self.string_argument(attr).or(target);
                }
                "alias" => target = self.string_argument(attr).or(target),
                _ => {}
            }
        }
        if let Some(target) = target.filter(|_| self.symbols.weakrefs.contains(&(self.unit, name))) {
            self.symbols.names.insert((self.unit, name), target);
        }
    }

    fn string_argument(&mut self, attr: &Attribute<'a>) -> Option<Symbol> {
        let Some(Expr { kind: ExprKind::Str(units, Encoding::Plain), .. }) = attr.args.first() else { return None };
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        Some(self.names.intern(&String::from_utf8_lossy(&bytes)))
    }

    /// The symbol of a name in this file.
    pub(super) fn symbol_of(&self, name: Symbol) -> Symbol {
        if self.in_model {
            return name;
        }
        self.symbols.names.get(&(self.unit, name)).copied().unwrap_or(name)
    }

    /// Whether a name is declared as a reference to a symbol of other files.
    pub(super) fn is_weakref(&self, name: Symbol) -> bool {
        self.symbols.weakrefs.contains(&(self.unit, name))
    }

    /// Remembers the symbol of something `static`.
    pub(super) fn add_static(&mut self, name: Symbol, symbol: Symbol, sym: Sym) {
        if name != symbol || !self.symbols.names.is_empty() {
            self.symbols.statics.insert((self.unit, symbol), sym);
        }
    }

    /// The function of this symbol.
    pub(super) fn function_of(&self, symbol: Symbol) -> Option<FuncId> {
        match self.symbols.statics.get(&(self.unit, symbol)) {
            Some(&Sym::Function(id)) => Some(id),
            _ => self.linked_functions.get(&symbol).copied(),
        }
    }

    /// The object of this symbol.
    pub(super) fn object_of(&self, symbol: Symbol) -> Option<ObjId> {
        match self.symbols.statics.get(&(self.unit, symbol)) {
            Some(&Sym::Object(obj)) => Some(obj),
            _ => self.linked_objects.get(&symbol).copied(),
        }
    }

    /// The attributes of a function that concern its symbol or the start of the program.
    pub(super) fn function_attributes(
        &mut self,
        id: FuncId,
        name: Symbol,
        specs: &DeclSpecs<'a>,
        declarator: &Declarator<'a>,
    ) -> R<()> {
        if self.in_model {
            return Ok(());
        }
        if self.symbols.weak.contains(&(self.unit, name)) {
            self.symbols.weak_functions.insert(id);
        }
        for attr in specs.attrs.iter().chain(declarator.attrs) {
            match self.text(attr.name) {
                "constructor" | "destructor" | "ifunc" if !self.scopes.at_file_level() => {
                    return self.error(attr.span, "this attribute is supported at file scope only");
                }
                "constructor" => {
                    let priority = self.priority(attr)?;
                    self.symbols.constructors.push((priority, id));
                }
                "destructor" => {
                    let priority = self.priority(attr)?;
                    self.symbols.destructors.push((priority, id));
                }
                "alias" if !self.is_weakref(name) => self.add_alias(RelocTarget::Function(id), name, attr),
                "section" => self.look_at_section(attr),
                "returns_twice" => {
                    self.symbols.twice.insert(id);
                }
                "aligned" => {
                    let align = self.aligned(attr)?;
                    let most = self.symbols.alignments.entry(id).or_default();
                    *most = align.max(*most);
                }
                "ifunc" => {
                    if let Some(resolver) = self.string_argument(attr) {
                        self.functions[id.index()].defined = Some(declarator.span);
                        self.symbols.pending_ifuncs.push((id, resolver, self.unit, attr.span));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The attributes of an object that concern its symbol.
    pub(super) fn object_attributes(
        &mut self,
        obj: ObjId,
        name: Symbol,
        specs: &DeclSpecs<'a>,
        declarator: &Declarator<'a>,
    ) {
        if self.symbols.weak.contains(&(self.unit, name)) {
            self.symbols.weak_objects.insert(obj);
        }
        for attr in specs.attrs.iter().chain(declarator.attrs) {
            match self.text(attr.name) {
                "alias" if !self.is_weakref(name) => self.add_alias(RelocTarget::Object(obj), name, attr),
                "section" => self.look_at_section(attr),
                _ => {}
            }
        }
    }

    fn look_at_section(&mut self, attr: &Attribute<'a>) {
        let section = self.string_argument(attr);
        // `.init.text` is another section than `.init`, but `.init_array.5` is part of `.init_array`.
        let starts = |section: &str| STARTING.iter().any(|s| section == *s || section.starts_with(s) && s.len() > 5);
        if section.is_some_and(|section| starts(self.text(section))) {
            self.symbols.unknown_start = Some("functions in a section that runs before or after `main`".into());
        }
    }

    /// Of a constructor or destructor; those without run last, or first.
    fn priority(&mut self, attr: &Attribute<'a>) -> R<i128> {
        attr.args.first().map_or(Ok(65536), |arg| self.constant(arg))
    }

    fn add_alias(&mut self, of: RelocTarget, name: Symbol, attr: &Attribute<'a>) {
        let Some(target) = self.string_argument(attr) else { return };
        if !self.scopes.at_file_level() {
            let _ = self.error::<()>(attr.span, "this attribute is supported at file scope only");
        }
        let weak = self.symbols.weak.contains(&(self.unit, name));
        self.symbols.aliases.push(Alias { of, target, file: self.unit, weak, span: attr.span });
    }

    /// Whether a definition is only for inlining, and the file has another name for the function itself (`__asm__("f")`), which
    /// the definition calls: it does the same as the function.
    pub(super) fn is_redirected(&self, name: Symbol, specs: &DeclSpecs<'a>, declarator: &Declarator<'a>) -> bool {
        let mut attrs = specs.attrs.iter().chain(declarator.attrs);
        let for_inlining = attrs.any(|attr| self.text(attr.name) == "gnu_inline");
        let symbol = self.symbol_of(name);
        let names = &self.symbols.names;
        for_inlining
            && names.iter().any(|(&(unit, other), &target)| unit == self.unit && other != name && target == symbol)
    }

    /// Whether a further definition of a function counts; the error if there may be only one.
    pub(super) fn replaces(
        &mut self,
        id: FuncId,
        name: Symbol,
        specs: &DeclSpecs<'a>,
        gnu_inline: bool,
        body: Span,
    ) -> Option<bool> {
        if let Some(counts) = self.is_inline_elsewhere(id, specs.inline, body) {
            return Some(counts);
        }
        let weak = self.symbols.weak.contains(&(self.unit, name));
        let previous = self.symbols.replaceable.get(&id).copied();
        let counts = match previous {
            // An inline definition yields, a model to the program's own.
            _ if specs.inline || self.in_model => false,
            Some(None) => true,
            Some(Some(file)) if file != self.unit && !weak => {
                self.symbols.replaced.insert((file, id));
                true
            }
            Some(Some(file)) if file != self.unit => false,
            None if weak && !self.in_model => false,
            _ => return None,
        };
        if counts {
            self.symbols.replaceable.remove(&id);
            self.may_be_replaced(id, name, gnu_inline);
        } else if !specs.inline && !self.in_model {
            self.symbols.replaced.insert((self.unit, id));
        }
        Some(counts)
    }

    /// Whether a definition counts beside that of another file, where one of them is inline. C leaves open which one a call
    /// in the file of the inline one means; so they must be the same.
    fn is_inline_elsewhere(&mut self, id: FuncId, inline: bool, body: Span) -> Option<bool> {
        let &(file, other_inline, other) = self.symbols.definitions.get(&id)?;
        if self.in_model || file == self.unit || !inline && !other_inline {
            return None;
        }
        if self.sources.snippet(body) != self.sources.snippet(other) {
            let why = "a call of a function with an inline and another definition";
            self.symbols.unsupported.push((id, why.into()));
        }
        let counts = !inline;
        if counts {
            self.symbols.replaceable.remove(&id);
        }
        Some(counts)
    }

    /// Remembers whether a definition yields to another one.
    pub(super) fn may_be_replaced(&mut self, id: FuncId, name: Symbol, gnu_inline: bool) {
        if gnu_inline {
            self.symbols.replaceable.insert(id, None);
        } else if self.symbols.weak.contains(&(self.unit, name)) {
            self.symbols.replaceable.insert(id, Some(self.unit));
        }
    }

    /// Whether a definition of an object counts beside those of other files. The one it replaces is dropped.
    pub(super) fn definition_counts(&mut self, obj: ObjId, name: Symbol) -> bool {
        let weak = self.symbols.weak.contains(&(self.unit, name));
        let previous = self.symbols.weak_definitions.get(&obj).copied();
        if previous == Some(self.unit) {
            return true;
        }
        let defined = self.objects[obj.index()].defined.is_some();
        if weak {
            if !defined {
                self.symbols.weak_definitions.insert(obj, self.unit);
            }
            return !defined;
        }
        if previous.is_some() {
            self.symbols.weak_definitions.remove(&obj);
            self.objects[obj.index()].initialised = false;
            self.program.objects[obj].kind = ObjectKind::Global(Default::default());
        }
        true
    }

    /// `asm("…")` at file scope.
    pub(super) fn file_assembly(&mut self, text: Symbol, span: Span) {
        if self.text(text).trim().is_empty() {
            return;
        }
        self.fun.quiet = false;
        self.assume(span, Granted::FileAssembly);
        self.fun.quiet = true;
        if STARTING.iter().any(|section| self.text(text).contains(section)) {
            self.symbols.unknown_start = Some("assembly that runs before or after `main`".into());
        }
        self.symbols.assembly.push((text, span));
    }

    /// Whether no file defines a weak function.
    pub(super) fn is_weak_function(&self, id: FuncId) -> bool {
        self.symbols.weak_functions.contains(&id) && self.functions[id.index()].defined.is_none()
    }

    /// Whether no file defines a weak object.
    pub(super) fn is_weak_object(&self, obj: ObjId) -> bool {
        self.symbols.weak_objects.contains(&obj) && self.objects[obj.index()].defined.is_none()
    }
}

/// Whether a symbol is that of the library for a version of a function: `__isoc99_scanf`, `lseek64`.
fn is_version_of(symbol: &str, name: &str) -> bool {
    match symbol.strip_prefix("__") {
        Some(rest) => rest.strip_suffix(name).is_some_and(|version| version.ends_with('_')),
        None => symbol.strip_prefix(name) == Some("64"),
    }
}
