//! Declarations and definitions at file scope, and the linking of several files.

use super::declare::Declared;
use super::scope::Sym;
use super::types::{CType, FunctionType, TypeId};
use super::{FnInfo, Lower, R, models};
use crate::ir::{FuncId, Function, Granted, Idx, Image, ObjId, ObjectKind};
use robusto_syntax::ast::{
    DeclSpecs, Declaration, Declarator, DeclaratorPart, FunctionDef, Init, InitDeclarator, Item, StaticAssert, Storage,
    TranslationUnit, TypeSpec,
};
use robusto_syntax::{Diagnostic, Span, Symbol};

impl<'a> Lower<'a, '_> {
    /// Lowers all files, the library models that they need, and links them.
    pub(super) fn program_of(&mut self, units: &[TranslationUnit<'a>]) {
        let prelude = models::prelude(self.model());
        if let Some(unit) = self.parse_own("<builtin>", prelude) {
            self.declare_items(&unit);
        }
        let mut scopes = Vec::new();
        for (i, unit) in units.iter().enumerate() {
            self.unit = i;
            self.scopes.push();
            self.look_up_attributes(unit);
            self.collect_symbols(unit);
            self.declare_items(unit);
            scopes.push(self.scopes.take_file());
        }
        self.complete_objects();
        self.link_symbols(units, &mut scopes);
        for ((i, unit), scope) in units.iter().enumerate().zip(scopes) {
            self.unit = i;
            self.scopes.restore_file(scope);
            self.lower_bodies(unit);
            self.scopes.pop();
        }
        self.unit = units.len();
        // Bodies declare objects, too.
        self.complete_objects();
        self.unsupported_bodies();
        self.lower_models();
        self.set_start();
        // The start may have called further models.
        self.lower_models();
        self.complete_functions();
        self.settle_endings();
    }

    /// Parses text of our own.
    fn parse_own(&mut self, name: &str, text: String) -> Option<TranslationUnit<'a>> {
        let file = self.sources.add(name, text).ok()?;
        match robusto_syntax::parse::parse(self.arena, self.sources, file, &mut self.names) {
            Ok(unit) => Some(unit),
            Err(errors) => {
                self.diagnostics.extend(errors);
                None
            }
        }
    }

    /// Declares the model of a library function, if there is one and it is not declared yet; its body is lowered at the
    /// end. Done at the first call, so that the call is converted to the model's parameters.
    pub(super) fn declare_model(&mut self, name: &str) {
        let Some((file, text)) = models::model(name) else { return };
        if self.models.iter().any(|(known, _)| *known == text) {
            return;
        }
        let Some(unit) = self.parse_own(&format!("<models/{file}>"), models::with_types(text, self.model())) else {
            return;
        };
        let outer = self.scopes.suspend();
        self.scopes.push();
        let in_model = std::mem::replace(&mut self.in_model, true);
        let void = self.types.void();
        let function = std::mem::replace(&mut self.fun, super::function::FnState::scratch(FuncId::FIRST, void));
        let declared: Vec<Option<TypeId>> = unit.items.iter().map(|item| self.declared_before(item)).collect();
        self.declare_items(&unit);
        for (item, declared) in unit.items.iter().zip(declared) {
            if let Item::Function(def) = item
                && let Some(Sym::Function(id)) = def.declarator.name.and_then(|name| self.scopes.lookup(name))
                && self.functions[id.index()].defined == Some(def.declarator.span)
            {
                let own = self.functions[id.index()].ty;
                self.model_types.insert(id, declared.unwrap_or(own));
            }
        }
        self.fun = function;
        self.in_model = in_model;
        let scope = self.scopes.take_file();
        self.scopes.resume(outer);
        self.models.push((text, Some((unit, scope))));
    }

    /// The type that the program gave to a function of a model.
    fn declared_before(&self, item: &Item<'a>) -> Option<TypeId> {
        let Item::Function(def) = item else { return None };
        let id = self.linked_functions.get(&def.declarator.name?)?;
        Some(self.functions[id.index()].ty)
    }

    /// Whether a declaration may mean a model's function: the same number of parameters, of the same kinds.
    fn means_model(&self, declared: TypeId, model: TypeId) -> bool {
        let (CType::Function(declared), CType::Function(model)) = (self.types.get(declared), self.types.get(model))
        else {
            return false;
        };
        let alike = |&a: &TypeId, &b: &TypeId| match (self.types.get(a), self.types.get(b)) {
            (CType::Int(_), CType::Int(_)) | (CType::Float(_), CType::Float(_)) => true,
            (CType::Pointer(_), CType::Pointer(_)) => true,
            _ => self.types.is_aggregate(a) && self.types.size(a) == self.types.size(b),
        };
        let returns = self.types.value_ty(declared.ret).is_none() && !self.types.is_aggregate(declared.ret)
            || self.types.value_ty(model.ret).is_none() && !self.types.is_aggregate(model.ret)
            || alike(&declared.ret, &model.ret);
        !declared.prototype
            || returns
                && declared.params.len() == model.params.len()
                && declared.params.iter().zip(&model.params).all(|(a, b)| alike(a, b))
    }

    /// Lowers the bodies of the models; they may call further ones.
    fn lower_models(&mut self) {
        // Also functions whose address is taken but which are never called by name.
        let used = self.functions.iter().filter(|info| info.used && info.defined.is_none()).map(|info| info.name);
        for name in used.collect::<Vec<_>>() {
            let text = self.text(name).to_owned();
            self.declare_model(&text);
        }
        self.in_model = true;
        let mut next = 0;
        while next < self.models.len() {
            if let Some((unit, scope)) = self.models[next].1.take() {
                self.scopes.restore_file(scope);
                self.lower_bodies(&unit);
                self.scopes.pop();
            }
            next += 1;
        }
    }

    /// Gives every used function without a body a stub.
    fn complete_functions(&mut self) {
        // A stub may use further functions.
        loop {
            let open = |info: &FnInfo| info.used && !info.lowered;
            let ids: Vec<usize> = (1..self.functions.len()).filter(|&i| open(&self.functions[i])).collect();
            if ids.is_empty() {
                return;
            }
            for i in ids {
                self.functions[i].lowered = true;
                let _ = self.stub(FuncId::new(i));
            }
            self.lower_models();
        }
    }

    fn declare_items(&mut self, unit: &TranslationUnit<'a>) {
        for item in unit.items {
            // Errors are reported where they arise; the next item may be right.
            let _ = match item {
                Item::Function(def) => self.declare_definition(def),
                Item::Declaration(declaration) => self.declaration_at_file_scope(declaration),
                Item::StaticAssert(assert) => self.static_assert(assert),
                Item::Asm(text, span) => {
                    self.file_assembly(*text, *span);
                    Ok(())
                }
            };
        }
    }

    fn lower_bodies(&mut self, unit: &TranslationUnit<'a>) {
        for item in unit.items {
            if let Item::Function(def) = item {
                let _ = self.function_body(def);
            }
        }
    }

    pub(super) fn static_assert(&mut self, assert: &StaticAssert<'a>) -> R<()> {
        if self.constant(assert.condition)? == 0 {
            return self.error(assert.span, "static assertion failed");
        }
        Ok(())
    }

    /// The type of a function definition, with K&R parameters filled in.
    pub(super) fn definition_type(&mut self, def: &FunctionDef<'a>) -> R<TypeId> {
        let base = self.specifiers(&def.specs, false)?;
        let ty = self.declarator(base, &def.declarator)?.ty;
        let CType::Function(function) = self.types.get(ty).clone() else {
            return self.error(def.declarator.span, "a body stands after something that is not a function");
        };
        let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() else { return Ok(ty) };
        if params.prototype {
            return Ok(ty);
        }
        let mut types = Vec::new();
        for &name in params.kr_names {
            types.push(self.kr_parameter(def, name)?.0);
        }
        Ok(self.types.intern(CType::Function(FunctionType { params: types.into(), ..function })))
    }

    fn declare_definition(&mut self, def: &FunctionDef<'a>) -> R<()> {
        let Some(name) = def.declarator.name else {
            return self.error(def.span, "a function needs a name");
        };
        let ty = self.definition_type(def)?;
        let span = def.declarator.span;
        if self.is_redirected(name, &def.specs, &def.declarator) {
            // Calls of that name come to the function itself, and so do those by its other name.
            return self.declare_function(name, ty, &def.specs, &def.declarator).map(|_| ());
        }
        let id = if self.in_model && self.program_defines(name) {
            let id = self.new_function(name, ty, true, span);
            self.scopes.declare(name, Sym::Function(id), span);
            self.private_models.insert(name, id);
            id
        } else {
            self.declare_function(name, ty, &def.specs, &def.declarator)?
        };
        // The definition of an `extern inline` function of GNU is only for inlining; the real one may follow.
        let gnu_inline = def.specs.inline && def.specs.storage == Some(Storage::Extern);
        if let Some(previous) = self.functions[id.index()].defined {
            match self.replaces(id, name, &def.specs, gnu_inline, def.body.span) {
                Some(true) => {}
                Some(false) => return Ok(()),
                None => {
                    let text = self.text(name).to_owned();
                    let error = Diagnostic::error(span, format!("function `{text}` is defined twice"));
                    return self.report(error.note(previous, "the other definition is here"));
                }
            }
        } else {
            self.may_be_replaced(id, name, gnu_inline);
        }
        if !self.in_model {
            self.symbols.definitions.insert(id, (self.unit, def.specs.inline, def.body.span));
        }
        let info = &mut self.functions[id.index()];
        info.defined = Some(span);
        info.ty = ty;
        info.used = true;
        let pos = self.pos(span);
        self.program.functions[id].pos = pos;
        Ok(())
    }

    /// Whether the program itself defines a function of this name for all files.
    pub(super) fn program_defines(&self, name: Symbol) -> bool {
        let Some(id) = self.linked_functions.get(&name) else { return false };
        self.functions[id.index()].defined.is_some() && !self.model_types.contains_key(id)
    }

    /// Declares a function by name, in this scope and for linking.
    fn declare_function(
        &mut self,
        name: Symbol,
        ty: TypeId,
        specs: &DeclSpecs<'a>,
        declarator: &Declarator<'a>,
    ) -> R<FuncId> {
        let known = match self.scopes.lookup(name) {
            Some(Sym::Function(id)) => Some(id),
            _ => None,
        };
        let symbol = self.symbol_of(name);
        if let Some((sym, span)) = self.scopes.lookup_here(name)
            && !matches!(sym, Sym::Function(_))
        {
            let text = self.text(name).to_owned();
            let error =
                Diagnostic::error(declarator.span, format!("`{text}` is declared twice with different meanings"));
            return self.report(error.note(span, "the other declaration is here"));
        }
        let is_static = specs.storage == Some(Storage::Static) && !self.is_weakref(name);
        // What the compiler declares by itself yields to what the program says.
        let known = known.filter(|_| !is_static || self.scopes.lookup_here(name).is_some());
        // A model's function is private if the program means another one by that name.
        let fits = |lower: &Self, id: FuncId| !lower.in_model || lower.means_model(lower.functions[id.index()].ty, ty);
        let known = known.filter(|&id| fits(self, id));
        let id = match known {
            Some(id) => id,
            None if is_static => {
                let id = self.new_function(symbol, ty, true, declarator.span);
                self.add_static(name, symbol, Sym::Function(id));
                id
            }
            None => match self.function_of(symbol) {
                Some(id) if fits(self, id) => id,
                Some(_) => self.new_function(symbol, ty, true, declarator.span),
                None => {
                    let id = self.new_function(symbol, ty, false, declarator.span);
                    self.linked_functions.insert(symbol, id);
                    id
                }
            },
        };
        self.scopes.declare(name, Sym::Function(id), declarator.span);
        self.function_attributes(id, name, specs, declarator)?;
        let noreturn = self.says_noreturn(specs, declarator);
        let pure = self.says_pure(specs, declarator);
        let info = &mut self.functions[id.index()];
        info.noreturn |= noreturn;
        info.pure |= pure;
        // A later declaration may know more.
        let knows_more = |lower: &Self, ty: TypeId| matches!(lower.types.get(ty), CType::Function(f) if f.prototype);
        if info.defined.is_none() && knows_more(self, ty) {
            self.functions[id.index()].ty = ty;
        }
        Ok(id)
    }

    pub(super) fn new_function(&mut self, name: Symbol, ty: TypeId, is_static: bool, span: Span) -> FuncId {
        let mut text = self.text(name).to_owned();
        if is_static && self.in_model {
            text = format!("__robusto_{text}");
        }
        if is_static && (self.unit > 0 || self.in_model) && self.program.function_named(&text).is_some() {
            text = format!("{text}${}", if self.in_model { self.functions.len() } else { self.unit + 1 });
        }
        let pos = self.pos(span);
        let id = self.program.functions.push(Function::header(&text, pos));
        self.functions.push(FnInfo {
            ty,
            name,
            defined: None,
            noreturn: false,
            pure: false,
            lowered: false,
            used: false,
        });
        id
    }

    /// The function that a call to an undeclared name declares: `int name()`.
    pub(super) fn declare_implicitly(&mut self, name: Symbol, span: Span) -> FuncId {
        let name = self.symbol_of(name);
        if let Some(id) = self.function_of(name) {
            return id;
        }
        let ret = self.types.int(super::types::IntKind::Int);
        let function = FunctionType { ret, params: Box::new([]), variadic: false, prototype: false };
        let ty = self.types.intern(CType::Function(function));
        let id = self.new_function(name, ty, false, span);
        self.linked_functions.insert(name, id);
        id
    }

    fn declaration_at_file_scope(&mut self, declaration: &Declaration<'a>) -> R<()> {
        let base = self.declaration_base(declaration)?;
        for d in declaration.declarators {
            let declared = self.declared_type(base, d, declaration)?;
            self.declare_global(declared, d, declaration)?;
        }
        Ok(())
    }

    /// The type of the specifiers; `__auto_type` is left for [`Lower::declared_type`].
    pub(super) fn declaration_base(&mut self, declaration: &Declaration<'a>) -> R<Option<Declared>> {
        if matches!(declaration.specs.ty, TypeSpec::AutoType) {
            return Ok(None);
        }
        let declares_tag = declaration.declarators.is_empty();
        self.specifiers(&declaration.specs, declares_tag).map(Some)
    }

    /// The type of one declarator.
    pub(super) fn declared_type(
        &mut self,
        base: Option<Declared>,
        d: &InitDeclarator<'a>,
        declaration: &Declaration<'a>,
    ) -> R<Declared> {
        let base = match (base, &d.init) {
            (Some(base), _) => base,
            (None, Some(Init::Expr(e))) => self.declared_by(e)?,
            (None, _) => return self.error(declaration.span, "`__auto_type` needs an initialiser"),
        };
        self.declarator(base, &d.declarator)
    }

    /// Declares a typedef, function, or variable with linkage. Also used for `extern` inside blocks.
    pub(super) fn declare_global(
        &mut self,
        declared: Declared,
        d: &InitDeclarator<'a>,
        declaration: &Declaration<'a>,
    ) -> R<()> {
        let Some(name) = d.declarator.name else { return Ok(()) };
        let span = d.declarator.span;
        if Self::is_typedef(&declaration.specs) {
            self.scopes.declare(name, Sym::Typedef(declared.ty, declared.typedef_align()), span);
            return Ok(());
        }
        if !self.scopes.at_file_level() {
            self.collect_names(&declaration.specs, &d.declarator, d.asm_name);
        }
        if matches!(self.types.get(declared.ty), CType::Function(_)) {
            return self.declare_function(name, declared.ty, &declaration.specs, &d.declarator).map(|_| ());
        }
        let text = self.text(name).to_owned();
        let is_definition = declaration.specs.storage != Some(Storage::Extern) || d.init.is_some();
        if matches!(self.types.get(declared.ty), CType::Void) && is_definition {
            return self.error(span, format!("variable `{text}` has type `void`"));
        }
        let is_static = declaration.specs.storage == Some(Storage::Static) && !self.is_weakref(name);
        let symbol = self.symbol_of(name);
        let known = match self.scopes.lookup_here(name) {
            Some((Sym::Object(obj), _)) => Some(obj),
            Some((_, previous)) => {
                let error = Diagnostic::error(span, format!("`{text}` is declared twice with different meanings"));
                return self.report(error.note(previous, "the other declaration is here"));
            }
            None if is_static => None,
            None => match self.scopes.lookup(name) {
                Some(Sym::Object(obj)) if matches!(self.program.objects[obj].kind, ObjectKind::Global(_)) => Some(obj),
                _ => self.object_of(symbol),
            },
        };
        let obj = match known {
            Some(obj) => obj,
            None => {
                let pos = self.pos(span);
                let obj =
                    self.new_object(&text, declared.ty, ObjectKind::Global(Image::default()), declared.align, pos);
                if is_static {
                    self.add_static(name, symbol, Sym::Object(obj));
                } else {
                    self.linked_objects.insert(symbol, obj);
                }
                obj
            }
        };
        self.scopes.declare(name, Sym::Object(obj), span);
        self.object_attributes(obj, name, &declaration.specs, &d.declarator);
        if declaration.specs.storage == Some(Storage::Register) {
            self.fun.quiet = false;
            self.assume(span, Granted::NamedRegister);
            self.fun.quiet = true;
        }
        if is_definition && !self.definition_counts(obj, name) {
            return Ok(());
        }
        self.define_object(obj, declared, d, is_definition)
    }

    fn define_object(&mut self, obj: ObjId, declared: Declared, d: &InitDeclarator<'a>, is_definition: bool) -> R<()> {
        let span = d.declarator.span;
        let old = self.objects[obj.index()].ty;
        let mut ty = if self.types.size(declared.ty).is_some() { declared.ty } else { old };
        if let (Some(a), Some(b)) = (self.types.size(old), self.types.size(declared.ty))
            && a != b
        {
            let text = self.program.objects[obj].name.to_string();
            let mut error = Diagnostic::error(span, format!("`{text}` is declared with types of different sizes"));
            if let Some(previous) = self.objects[obj.index()].defined {
                error = error.note(previous, "the other declaration is here");
            }
            return self.report(error);
        }
        if let Some(init) = &d.init {
            let info = &self.objects[obj.index()];
            if let (true, Some(previous)) = (info.initialised, info.defined) {
                let text = self.program.objects[obj].name.to_string();
                let error = Diagnostic::error(span, format!("`{text}` is initialised twice"));
                return self.report(error.note(previous, "the other definition is here"));
            }
            let (image, complete, size) = self.static_image(ty, init)?;
            ty = complete;
            self.set_image(obj, ty, image, size);
        } else if is_definition && let CType::Array(of, None) = *self.types.get(ty) {
            // A tentative definition of an array of unknown size has one element.
            if self.types.size(ty).is_none() && !self.scopes.at_file_level() {
                ty = self.types.array(of, Some(1));
            }
        }
        if is_definition {
            self.objects[obj.index()].defined = Some(span);
        }
        self.objects[obj.index()].ty = ty;
        let object = &mut self.program.objects[obj];
        object.size = object.size.max(self.types.size(ty).unwrap_or(0));
        object.align = object.align.max(u32::try_from(self.types.align(ty).max(declared.align)).unwrap_or(1));
        Ok(())
    }

    /// Objects whose type was not complete where they were declared get the size that it has at the end (C11 6.9.2): that of a
    /// struct which is defined further down; an array of unknown length has one element.
    fn complete_objects(&mut self) {
        for obj in self.program.objects.ids() {
            let info = self.objects[obj.index()];
            let object = &self.program.objects[obj];
            if object.size > 0 || !matches!(object.kind, ObjectKind::Global(_)) {
                continue;
            }
            let ty = match (self.types.get(info.ty), info.defined) {
                (&CType::Array(of, None), Some(_)) => self.types.array(of, Some(1)),
                _ => info.ty,
            };
            match (self.types.size(ty), info.defined) {
                (Some(size), _) => {
                    let align = u32::try_from(self.types.align(ty)).unwrap_or(1);
                    self.objects[obj.index()].ty = ty;
                    let object = &mut self.program.objects[obj];
                    (object.size, object.align) = (size, object.align.max(align));
                }
                (None, Some(span)) => {
                    let (name, of) = (object.name.to_string(), self.types.describe(ty));
                    let text = format!("the size of `{name}` is not known: `{of}` is never defined");
                    let _ = self.error::<()>(span, text);
                    self.objects[obj.index()].defined = None;
                }
                (None, None) => {}
            }
        }
    }
}
