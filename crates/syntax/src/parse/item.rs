//! File scope: declarations, function definitions, static assertions.

use super::declarator::Naming;
use super::{Parse, Parser};
use crate::ast::{
    Attribute, DeclSpecs, Declaration, Declarator, DeclaratorPart, FunctionDef, Init, InitDeclarator, Item, Params,
    StaticAssert, Storage, TranslationUnit, TypeSpec,
};
use crate::lex::{Keyword, Kind, Punct};
use crate::{Diagnostic, Symbol};

/// A declaration may turn out to be a function definition.
pub(super) enum External<'a> {
    Function(FunctionDef<'a>),
    Declaration(Declaration<'a>),
}

impl<'a> Parser<'a, '_> {
    pub(super) fn translation_unit(&mut self) -> TranslationUnit<'a> {
        let mut items = Vec::new();
        while self.token.kind != Kind::End {
            if self.eat(Punct::Semi) {
                continue;
            }
            match self.nested(Self::item) {
                Ok(item) => items.push(item),
                Err(_) if self.recover() => {}
                Err(_) => break,
            }
        }
        let pragmas = self.lexer.take_symbol_pragmas();
        TranslationUnit {
            items: self.slice(&items),
            pragmas: self.slice(&pragmas),
            attributes: self.slice(&self.attributes),
        }
    }

    fn item(&mut self) -> Parse<Item<'a>> {
        let lo = self.token.lo;
        while self.eat_keyword(Keyword::Extension) {}
        match self.token.kind {
            Kind::Keyword(Keyword::Asm) => {
                let asm = self.asm_statement()?;
                Ok(Item::Asm(asm.template, self.span_from(lo)))
            }
            Kind::Keyword(Keyword::StaticAssert) => {
                let assertion = self.static_assert()?;
                Ok(Item::StaticAssert(self.alloc(assertion)))
            }
            _ => Ok(match self.external(Vec::new())? {
                External::Function(function) => Item::Function(self.alloc(function)),
                External::Declaration(declaration) => Item::Declaration(self.alloc(declaration)),
            }),
        }
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert<'a>> {
        let lo = self.bump().lo;
        let open = self.expect(Punct::LParen, "after `_Static_assert`")?;
        let condition = self.assignment()?;
        if self.eat(Punct::Comma) {
            self.string_text()?;
        }
        self.expect_close(Punct::RParen, open)?;
        self.expect(Punct::Semi, "after `_Static_assert`")?;
        Ok(StaticAssert { condition, span: self.span_from(lo) })
    }

    /// A declaration or function definition, after the attributes `attrs`.
    pub(super) fn external(&mut self, attrs: Vec<Attribute<'a>>) -> Parse<External<'a>> {
        let lo = attrs.first().map_or(self.token.lo, |attr| attr.span.lo);
        let specs = self.specs(attrs)?;
        if self.eat(Punct::Semi) {
            return Ok(External::Declaration(Declaration { specs, declarators: &[], span: self.span_from(lo) }));
        }
        if specs.span.lo == specs.span.hi
            && !matches!(self.token.kind, Kind::Ident(_) | Kind::Punct(Punct::LParen | Punct::Star))
        {
            return self.unexpected("a declaration");
        }
        let first = self.declarator_with_suffix()?;
        if let Some(DeclaratorPart::Function(params)) = first.0.parts.first()
            && (self.at(Punct::LBrace) || (!params.kr_names.is_empty() && self.at_specs()))
        {
            return Ok(External::Function(self.function(lo, specs, first.0, params)?));
        }
        Ok(External::Declaration(self.declaration(lo, specs, first)?))
    }

    /// A declarator with the attributes after it, and its assembler name.
    fn declarator_with_suffix(&mut self) -> Parse<(Declarator<'a>, Option<Symbol>)> {
        let mut declarator = self.declarator(Naming::Required)?;
        let asm_name = self.declarator_suffix(&mut declarator)?;
        Ok((declarator, asm_name))
    }

    /// The rest of a declaration whose first declarator was read.
    fn declaration(
        &mut self,
        lo: u32,
        specs: DeclSpecs<'a>,
        first: (Declarator<'a>, Option<Symbol>),
    ) -> Parse<Declaration<'a>> {
        let mut declarators = Vec::new();
        let (mut declarator, mut asm_name) = first;
        loop {
            let init = self.init_after(&specs, &declarator)?;
            let span = self.span_from(declarator.span.lo);
            declarators.push(InitDeclarator { declarator, asm_name, init, span });
            if !self.eat(Punct::Comma) {
                break;
            }
            (declarator, asm_name) = self.declarator_with_suffix()?;
        }
        self.expect(Punct::Semi, "after declaration")?;
        Ok(Declaration { specs, declarators: self.slice(&declarators), span: self.span_from(lo) })
    }

    /// The initialiser after a declarator; the name is already in scope there.
    fn init_after(&mut self, specs: &DeclSpecs<'a>, declarator: &Declarator<'a>) -> Parse<Option<Init<'a>>> {
        if let Some(name) = declarator.name {
            if specs.storage == Some(Storage::Typedef) {
                self.scopes.declare_typedef(name);
            } else {
                self.scopes.declare(name);
            }
        }
        if self.eat(Punct::Eq) { self.nested(Self::initializer).map(Some) } else { Ok(None) }
    }

    /// A function definition from the parameter declarations of the old style, or the body, on.
    fn function(
        &mut self,
        lo: u32,
        specs: DeclSpecs<'a>,
        declarator: Declarator<'a>,
        params: &Params<'a>,
    ) -> Parse<FunctionDef<'a>> {
        if let Some(name) = declarator.name {
            self.scopes.declare(name);
        }
        self.scopes.enter();
        let names = params.params.iter().filter_map(|param| param.declarator.name);
        for name in names.chain(params.kr_names.iter().copied()) {
            self.scopes.declare(name);
        }
        let mut kr_params = Vec::new();
        while !self.at(Punct::LBrace) {
            if !self.at_specs() {
                return self.unexpected("a parameter declaration or the function's body");
            }
            let lo = self.token.lo;
            let specs = self.specs(Vec::new())?;
            if self.eat(Punct::Semi) {
                continue;
            }
            let first = self.declarator_with_suffix()?;
            kr_params.push(self.declaration(lo, specs, first)?);
        }
        let body = self.block()?;
        self.scopes.leave();
        Ok(FunctionDef { specs, declarator, kr_params: self.slice(&kr_params), body, span: self.span_from(lo) })
    }

    /// Fails if the current identifier, which is no type, must be meant as one.
    ///
    /// `name name`, `name *` and `name int` can be nothing else where a declaration is expected. The name is then taken
    /// for a typedef, so that one missing header does not cause an error for each use.
    pub(super) fn check_unknown_type(&mut self, name: Symbol) -> Parse<()> {
        let declared = match self.peek() {
            Kind::Ident(_) | Kind::Punct(Punct::Star) => true,
            Kind::Keyword(keyword) => !matches!(keyword, Keyword::Asm | Keyword::Attribute) && keyword.is_specifier(),
            _ => false,
        };
        if declared { self.unknown_type(name) } else { Ok(()) }
    }

    pub(super) fn unknown_type<T>(&mut self, name: Symbol) -> Parse<T> {
        let text = self.names.text(name);
        let diagnostic = Diagnostic::error(self.token.span(), format!("unknown type name `{text}`"));
        let diagnostic = diagnostic.help("was a header not included, or a typedef left out?");
        self.scopes.leave_all();
        self.scopes.declare_typedef(name);
        self.report(diagnostic)
    }
}

/// Whether nothing but qualifiers and storage classes was written.
pub(super) fn is_implicit(specs: &DeclSpecs<'_>) -> bool {
    matches!(specs.ty, TypeSpec::Implicit)
}
