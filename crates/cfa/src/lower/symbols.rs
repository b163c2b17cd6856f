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
//! Names of symbols count for a whole file, so they are collected before it is declared. Aliases are resolved when all
//! files are declared and before bodies are lowered: the names in scope, and what static variables point to, are changed
//! to the target.

use super::scope::{FileScope, Sym};
use super::types::TypeId;
use super::{Lower, R};
use crate::ir::{FuncId, Idx, ObjId, ObjectKind, RelocTarget};
use robusto_syntax::ast::{
    Attribute, DeclSpecs, Declarator, Encoding, Expr, ExprKind, Item, Storage, SymbolPragma, TranslationUnit,
};
use robusto_syntax::{Diagnostic, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of symbols beyond C's own rules. Files are known by their number.
#[derive(Default)]
pub(super) struct Symbols {
    /// By file and name: the symbol, where it is not the name.
    names: FxHashMap<(usize, Symbol), Symbol>,
    /// Names that a file says are weak.
    weak: FxHashSet<(usize, Symbol)>,
    weakrefs: FxHashSet<(usize, Symbol)>,
    /// `static` functions and objects by their symbols, where some name is not the symbol.
    statics: FxHashMap<(usize, Symbol), Sym>,
    /// What is weak, if no file defines it.
    weak_functions: FxHashSet<FuncId>,
    weak_objects: FxHashSet<ObjId>,
    /// Definitions that another one may replace, with their files; `None` if one of the same file may as well.
    replaceable: FxHashMap<FuncId, Option<usize>>,
    weak_definitions: FxHashMap<ObjId, usize>,
    /// Definitions of a file that another file replaced.
    replaced: FxHashSet<(usize, FuncId)>,
    aliases: Vec<Alias>,
    /// Functions with the functions that choose what they are.
    pub(super) ifuncs: Vec<(FuncId, FuncId)>,
    pending_ifuncs: Vec<(FuncId, Symbol, usize, Span)>,
    /// Functions whose calls are not supported, and why.
    pub(super) unsupported: Vec<(FuncId, String)>,
    /// Functions that run before and after `main`, with their priorities.
    pub(super) constructors: Vec<(i128, FuncId)>,
    pub(super) destructors: Vec<(i128, FuncId)>,
    /// Something runs before or after `main` that is not known.
    pub(super) unknown_start: Option<&'static str>,
    assembly: Vec<(Symbol, Span)>,
    /// Variables that hold the addresses of weak symbols without definition.
    pub(super) addresses: Vec<(RelocTarget, ObjId)>,
    /// The function that `exit` calls.
    pub(super) exit: Option<FuncId>,
}

/// One name for another.
struct Alias {
    of: RelocTarget,
    target: Symbol,
    file: usize,
    weak: bool,
    span: Span,
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
                "section" => {
                    let section = self.string_argument(attr);
                    if section.is_some_and(|section| STARTING.iter().any(|s| self.text(section).starts_with(s))) {
                        self.symbols.unknown_start = Some("functions in a section that runs before or after `main`");
                    }
                }
                _ => {}
            }
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

    /// Whether a further definition of a function counts; the error if there may be only one.
    pub(super) fn replaces(
        &mut self,
        id: FuncId,
        name: Symbol,
        specs: &DeclSpecs<'a>,
        gnu_inline: bool,
    ) -> Option<bool> {
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
        self.assume(span, "assembly at file scope changes nothing that the program defines".into());
        self.fun.quiet = true;
        if STARTING.iter().any(|section| self.text(text).contains(section)) {
            self.symbols.unknown_start = Some("assembly that runs before or after `main`");
        }
        self.symbols.assembly.push((text, span));
    }

    /// When all files are declared: makes one of names that are one.
    pub(super) fn link_symbols(&mut self, units: &[TranslationUnit<'a>], scopes: &mut [FileScope]) {
        self.symbols_of_assembly();
        self.weak_pragmas(units, scopes);
        for (id, resolver, file, span) in std::mem::take(&mut self.symbols.pending_ifuncs) {
            self.unit = file;
            match self.target(resolver, &scopes[file]) {
                Some(Sym::Function(resolver)) => {
                    self.functions[resolver.index()].used = true;
                    self.symbols.ifuncs.push((id, resolver));
                }
                _ => {
                    let _ = self.error::<()>(span, "the function that chooses is not defined in this file");
                }
            }
        }
        self.resolve_aliases(scopes);
    }

    /// A function without body that assembly mentions may be defined there.
    fn symbols_of_assembly(&mut self) {
        for (text, span) in std::mem::take(&mut self.symbols.assembly) {
            let text = self.text(text).to_owned();
            for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.')) {
                let Some(&id) = self.names.get(word).and_then(|name| self.linked_functions.get(&name)) else {
                    continue;
                };
                if self.functions[id.index()].defined.is_none() {
                    self.functions[id.index()].defined = Some(span);
                    self.symbols.unsupported.push((id, format!("a call of `{word}`, which is written in assembly")));
                }
            }
        }
    }

    fn weak_pragmas(&mut self, units: &[TranslationUnit<'a>], scopes: &[FileScope]) {
        for (file, unit) in units.iter().enumerate() {
            for pragma in unit.pragmas {
                let SymbolPragma::WeakAlias(name, target) = *pragma else { continue };
                self.unit = file;
                let of = match scopes[file].lookup(name) {
                    Some(Sym::Function(id)) => RelocTarget::Function(id),
                    Some(Sym::Object(obj)) => RelocTarget::Object(obj),
                    _ => match self.function_of(name) {
                        Some(id) => RelocTarget::Function(id),
                        None => continue, // nobody asks for it
                    },
                };
                self.symbols.aliases.push(Alias { of, target, file, weak: true, span: Span::default() });
            }
        }
    }

    /// What a file calls by this symbol.
    fn target(&self, symbol: Symbol, scope: &FileScope) -> Option<Sym> {
        if let Some(&sym) = self.symbols.statics.get(&(self.unit, symbol)) {
            return Some(sym);
        }
        match scope.lookup(symbol) {
            Some(sym) if self.symbol_of(symbol) == symbol => Some(sym),
            _ => self
                .function_of(symbol)
                .map(Sym::Function)
                .or_else(|| self.linked_objects.get(&symbol).map(|&obj| Sym::Object(obj))),
        }
    }

    fn resolve_aliases(&mut self, scopes: &mut [FileScope]) {
        let mut functions: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        let mut objects: FxHashMap<ObjId, ObjId> = FxHashMap::default();
        for alias in std::mem::take(&mut self.symbols.aliases) {
            self.unit = alias.file;
            let target = self.target(alias.target, &scopes[alias.file]);
            let result = match (alias.of, target) {
                (RelocTarget::Function(id), Some(Sym::Function(target))) if id != target => {
                    self.alias_function(&alias, id, target, &mut functions)
                }
                (RelocTarget::Object(obj), Some(Sym::Object(target))) if obj != target => {
                    if self.objects[obj.index()].defined.is_none() || !alias.weak {
                        objects.insert(obj, target);
                    }
                    Ok(())
                }
                _ => {
                    let text = self.text(alias.target).to_owned();
                    self.error(alias.span, format!("the alias means `{text}`, which is not defined in this file"))
                }
            };
            let _ = result;
        }
        if functions.is_empty() && objects.is_empty() {
            return;
        }
        let function = |id: FuncId| follow(&functions, id);
        let object = |obj: ObjId| follow(&objects, obj);
        let (infos, types) = (&self.objects, &self.types);
        let change = |_, sym: &mut Sym| match *sym {
            Sym::Function(id) => *sym = Sym::Function(function(id)),
            Sym::Object(obj) if objects.contains_key(&obj) => {
                let (own, target) = (infos[obj.index()].ty, object(obj));
                let same: bool = types.compatible(own, infos[target.index()].ty);
                *sym = if same { Sym::Object(target) } else { Sym::Alias(target, own) };
            }
            _ => {}
        };
        scopes.iter_mut().for_each(|scope| scope.replace(change));
        self.linked_functions.values_mut().for_each(|id| *id = function(*id));
        self.linked_objects.values_mut().for_each(|obj| *obj = object(*obj));
        for o in self.program.objects.ids() {
            let (ObjectKind::Global(image) | ObjectKind::Constant(image)) = &mut self.program.objects[o].kind else {
                continue;
            };
            for relocation in &mut image.relocations {
                relocation.target = match relocation.target {
                    RelocTarget::Function(id) => RelocTarget::Function(function(id)),
                    RelocTarget::Object(obj) => RelocTarget::Object(object(obj)),
                };
            }
        }
        for (&id, _) in &functions {
            self.functions[id.index()].used = false;
            self.functions[function(id).index()].used = true;
        }
        for (&obj, _) in &objects {
            self.objects[obj.index()].used = false;
            self.objects[object(obj).index()].used = true;
        }
    }

    fn alias_function(
        &mut self,
        alias: &Alias,
        id: FuncId,
        target: FuncId,
        functions: &mut FxHashMap<FuncId, FuncId>,
    ) -> R<()> {
        let defined = self.functions[id.index()].defined;
        if let Some(previous) = defined
            && !self.symbols.replaceable.contains_key(&id)
        {
            if alias.weak {
                return Ok(());
            }
            let text = self.text(self.functions[id.index()].name).to_owned();
            let error = Diagnostic::error(alias.span, format!("function `{text}` is defined twice"));
            return self.report(error.note(previous, "the other definition is here"));
        }
        let (own, other): (TypeId, TypeId) = (self.functions[id.index()].ty, self.functions[target.index()].ty);
        let why = if self.symbols.replaced.contains(&(alias.file, target)) {
            "an alias of a function that another file replaces"
        } else if !self.types.compatible(own, other) {
            "an alias of a function of another type"
        } else {
            functions.insert(id, target);
            return Ok(());
        };
        self.functions[id.index()].defined = Some(alias.span);
        self.symbols.unsupported.push((id, why.into()));
        Ok(())
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

fn follow<T: Copy + Eq + std::hash::Hash>(targets: &FxHashMap<T, T>, from: T) -> T {
    let mut at = from;
    for _ in 0..targets.len() {
        match targets.get(&at) {
            Some(&next) => at = next,
            None => break,
        }
    }
    at
}

/// Whether a symbol is that of the library for a version of a function: `__isoc99_scanf`, `lseek64`.
fn is_version_of(symbol: &str, name: &str) -> bool {
    match symbol.strip_prefix("__") {
        Some(rest) => rest.strip_suffix(name).is_some_and(|version| version.ends_with('_')),
        None => symbol.strip_prefix(name) == Some("64"),
    }
}
