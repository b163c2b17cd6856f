//! Names that are another name of something.
//!
//! They are resolved when all files are declared and before bodies are lowered: the names in scope, and what static
//! variables point to, are changed to the target. So nothing else knows of aliases.

use super::scope::{FileScope, Sym};
use super::types::TypeId;
use super::{Lower, R};
use crate::ir::{FuncId, Idx, ObjId, ObjectKind, RelocTarget};
use robusto_syntax::ast::{SymbolPragma, TranslationUnit};
use robusto_syntax::{Diagnostic, Span, Symbol};
use rustc_hash::FxHashMap;

/// One name for another.
pub(super) struct Alias {
    pub(super) of: RelocTarget,
    pub(super) target: Symbol,
    pub(super) file: usize,
    pub(super) weak: bool,
    pub(super) span: Span,
}

impl<'a> Lower<'a, '_> {
    /// When all files are declared: makes one of names that are one.
    pub(super) fn link_symbols(&mut self, units: &[TranslationUnit<'a>], scopes: &mut [FileScope]) {
        self.symbols_of_assembly();
        let start = self.names.get("_start").and_then(|name| self.linked_functions.get(&name)).copied();
        if let Some(id) = start.filter(|id| self.functions[id.index()].defined.is_none()) {
            self.functions[id.index()].defined = Some(Span::default());
            self.symbols.unsupported.push((id, "a call of `_start`, which starts the program anew".into()));
        }
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
        for &id in functions.keys() {
            self.functions[id.index()].used = false;
            self.functions[function(id).index()].used = true;
        }
        for &obj in objects.keys() {
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
