//! Declaration specifiers: storage class, qualifiers and the type, in any order.

use super::{Parse, Parser};
use crate::ast::{Alignas, Attribute, DeclSpecs, Quals, RecordKind, Sign, Storage, TypeSpec};
use crate::lex::{Keyword, Kind, Punct, Token};
use crate::{Diagnostic, Span};

/// Type specifiers read so far.
struct Types<'a> {
    /// `void`, `char`, `int`, a record, a typedef name, …; at most one.
    base: Option<TypeSpec<'a>>,
    sign: Sign,
    short: bool,
    longs: u8,
    complex: bool,
}

impl<'a> Types<'a> {
    fn none(&self) -> bool {
        self.base.is_none() && self.only_complex_or_none() && !self.complex
    }

    fn only_complex_or_none(&self) -> bool {
        self.base.is_none() && self.sign == Sign::None && !self.short && self.longs == 0
    }

    /// The type that the words make up together, if they do.
    fn combined(&self) -> Option<TypeSpec<'a>> {
        let plain = self.sign == Sign::None && !self.short && self.longs == 0;
        Some(match self.base {
            Some(TypeSpec::Char(_)) if !self.short && self.longs == 0 => TypeSpec::Char(self.sign),
            Some(TypeSpec::Int128(Sign::None)) if !self.short && self.longs == 0 => TypeSpec::Int128(self.sign),
            Some(TypeSpec::Double) if self.longs == 1 && self.sign == Sign::None && !self.short => TypeSpec::LongDouble,
            Some(TypeSpec::Int(_)) | None => match (self.short, self.longs) {
                (true, 0) => TypeSpec::Short(self.sign),
                (false, 0) if self.sign == Sign::None && self.base.is_none() => {
                    if self.complex {
                        TypeSpec::Double
                    } else {
                        TypeSpec::Implicit
                    }
                }
                (false, 0) => TypeSpec::Int(self.sign),
                (false, 1) => TypeSpec::Long(self.sign),
                (false, 2) => TypeSpec::LongLong(self.sign),
                _ => return None,
            },
            Some(base) if plain => base,
            _ => return None,
        })
    }
}

impl Keyword {
    /// Whether a declaration can begin with this keyword.
    #[inline]
    pub(super) fn is_specifier(self) -> bool {
        use Keyword as K;
        self.is_type()
            || matches!(self, K::Typedef | K::Extern | K::Static | K::Auto | K::Register | K::ThreadLocal | K::Inline)
            || matches!(self, K::Noreturn | K::Const | K::Volatile | K::Restrict | K::Alignas | K::Attribute)
    }

    fn is_type(self) -> bool {
        use Keyword as K;
        matches!(self, K::Void | K::Bool | K::Char | K::Short | K::Int | K::Long | K::Float | K::Double | K::Signed)
            || matches!(self, K::Unsigned | K::Complex | K::Int128 | K::Struct | K::Union | K::Enum | K::Typeof)
            || matches!(self, K::AutoType | K::Atomic)
    }
}

impl<'a> Parser<'a, '_> {
    /// Whether the current token begins declaration specifiers (`__extension__` aside).
    #[inline]
    pub(super) fn at_specs(&self) -> bool {
        self.begins_specs(self.token.kind)
    }

    #[inline]
    pub(super) fn begins_specs(&self, kind: Kind) -> bool {
        match kind {
            Kind::Keyword(keyword) => keyword.is_specifier(),
            Kind::Ident(name) => self.scopes.is_type(name),
            _ => false,
        }
    }

    /// Reads specifiers, after the attributes `attrs`.
    pub(super) fn specs(&mut self, mut attrs: Vec<Attribute<'a>>) -> Parse<DeclSpecs<'a>> {
        let lo = attrs.first().map_or(self.token.lo, |attr| attr.span.lo);
        let mut specs = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            ty: TypeSpec::Implicit,
            attrs: &[],
            alignas: &[],
            span: Span::default(),
        };
        let mut types = Types { base: None, sign: Sign::None, short: false, longs: 0, complex: false };
        let mut alignas = Vec::new();
        loop {
            let token = self.token;
            match token.kind {
                Kind::Ident(name) => {
                    let wanted = types.none() || (types.only_complex_or_none() && self.scopes.is_builtin(name));
                    match self.scopes.type_of(name) {
                        Some(ty) if wanted => types.base = Some(ty),
                        None if types.none() => {
                            self.check_unknown_type(name)?;
                            break;
                        }
                        _ => break,
                    }
                    self.bump();
                }
                Kind::Keyword(Keyword::Attribute) => self.attributes(&mut attrs)?,
                Kind::Punct(Punct::LBracket) if self.peek_is(Punct::LBracket) => self.attributes(&mut attrs)?,
                Kind::Keyword(Keyword::Alignas) => alignas.push(self.alignas()?),
                Kind::Keyword(Keyword::Extension) => {
                    self.bump();
                }
                Kind::Keyword(keyword) => {
                    if self.storage_or_qualifier(keyword, &mut specs)? {
                        continue;
                    }
                    if !keyword.is_type() {
                        break;
                    }
                    if !self.type_word(keyword, &mut types)? {
                        return self.clash(token, &types);
                    }
                }
                _ => break,
            }
        }
        specs.span = self.span_from(lo);
        let Some(ty) = types.combined() else {
            let text = self.lexer.text_of(specs.span).to_owned();
            return self.fail(specs.span, format!("`{text}` is not a type"));
        };
        specs.ty = if types.complex { TypeSpec::Complex(self.alloc(ty)) } else { ty };
        specs.attrs = self.slice(&attrs);
        specs.alignas = self.slice(&alignas);
        Ok(specs)
    }

    /// Specifiers where a storage class makes no sense: in `what`.
    pub(super) fn specs_without_storage(&mut self, what: &str) -> Parse<DeclSpecs<'a>> {
        let specs = self.specs(Vec::new())?;
        if specs.storage.is_some() || specs.thread_local || specs.inline {
            return self.fail(specs.span, format!("a storage class in {what}"));
        }
        Ok(specs)
    }

    /// Accepts a storage class, qualifier or function specifier.
    fn storage_or_qualifier(&mut self, keyword: Keyword, specs: &mut DeclSpecs<'a>) -> Parse<bool> {
        if keyword == Keyword::Atomic {
            if self.peek_is(Punct::LParen) {
                return Ok(false);
            }
            specs.quals.atomic = true;
            self.bump();
            return Ok(true);
        }
        if self.qualifier(&mut specs.quals) {
            return Ok(true);
        }
        let storage = match keyword {
            Keyword::Typedef => Storage::Typedef,
            Keyword::Extern => Storage::Extern,
            Keyword::Static => Storage::Static,
            Keyword::Auto => Storage::Auto,
            Keyword::Register => Storage::Register,
            _ => {
                match keyword {
                    Keyword::ThreadLocal => specs.thread_local = true,
                    Keyword::Inline => specs.inline = true,
                    Keyword::Noreturn => specs.noreturn = true,
                    _ => return Ok(false),
                }
                self.bump();
                return Ok(true);
            }
        };
        if specs.storage.is_some_and(|before| before != storage) {
            return self.fail(self.token.span(), "more than one storage class");
        }
        specs.storage = Some(storage);
        self.bump();
        Ok(true)
    }

    /// Accepts `const`, `volatile`, `restrict` or `_Atomic` without parentheses.
    pub(super) fn qualifier(&mut self, quals: &mut Quals) -> bool {
        let kind = self.token.kind;
        match kind {
            Kind::Keyword(Keyword::Const) => quals.constant = true,
            Kind::Keyword(Keyword::Volatile) => quals.volatile = true,
            Kind::Keyword(Keyword::Restrict) => quals.restrict = true,
            Kind::Keyword(Keyword::Atomic) if !self.peek_is(Punct::LParen) => quals.atomic = true,
            _ => return false,
        }
        self.bump();
        true
    }

    /// Accepts a word of the type; false if it does not go with the words before.
    fn type_word(&mut self, keyword: Keyword, types: &mut Types<'a>) -> Parse<bool> {
        match keyword {
            Keyword::Signed | Keyword::Unsigned if types.sign != Sign::None => return Ok(false),
            Keyword::Signed => types.sign = Sign::Signed,
            Keyword::Unsigned => types.sign = Sign::Unsigned,
            Keyword::Short if types.short => return Ok(false),
            Keyword::Short => types.short = true,
            Keyword::Long if types.longs == 2 => return Ok(false),
            Keyword::Long => types.longs += 1,
            Keyword::Complex if types.complex => return Ok(false),
            Keyword::Complex => types.complex = true,
            _ if types.base.is_some() => return Ok(false),
            _ => {
                types.base = Some(self.base_type(keyword)?);
                return Ok(true);
            }
        }
        self.bump();
        Ok(true)
    }

    fn base_type(&mut self, keyword: Keyword) -> Parse<TypeSpec<'a>> {
        let word = match keyword {
            Keyword::Void => TypeSpec::Void,
            Keyword::Bool => TypeSpec::Bool,
            Keyword::Char => TypeSpec::Char(Sign::None),
            Keyword::Int => TypeSpec::Int(Sign::None),
            Keyword::Int128 => TypeSpec::Int128(Sign::None),
            Keyword::Float => TypeSpec::Float,
            Keyword::Double => TypeSpec::Double,
            Keyword::AutoType => TypeSpec::AutoType,
            Keyword::Struct => return self.nested(|p| p.record(RecordKind::Struct)),
            Keyword::Union => return self.nested(|p| p.record(RecordKind::Union)),
            Keyword::Enum => return self.nested(Self::enumeration),
            Keyword::Atomic => {
                self.bump();
                return Ok(TypeSpec::Atomic(self.parenthesized_type("after `_Atomic`")?));
            }
            _ => return self.nested(Self::typeof_type),
        };
        self.bump();
        Ok(word)
    }

    /// `typeof(expression)` or `typeof(type)`
    fn typeof_type(&mut self) -> Parse<TypeSpec<'a>> {
        self.bump();
        let open = self.expect(Punct::LParen, "after `typeof`")?;
        while self.eat_keyword(Keyword::Extension) {}
        let ty = if self.at_specs() {
            let ty = self.type_name()?;
            TypeSpec::TypeofType(self.alloc(ty))
        } else {
            TypeSpec::TypeofExpr(self.expr()?)
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(ty)
    }

    /// `_Alignas(type)` or `_Alignas(expression)`
    fn alignas(&mut self) -> Parse<Alignas<'a>> {
        self.bump();
        let open = self.expect(Punct::LParen, "after `_Alignas`")?;
        let argument =
            if self.at_specs() { Alignas::Type(self.type_name()?) } else { Alignas::Expr(self.conditional()?) };
        self.expect_close(Punct::RParen, open)?;
        Ok(argument)
    }

    fn clash<T>(&mut self, token: Token, types: &Types<'a>) -> Parse<T> {
        let word = self.lexer.spelling(token).into_owned();
        let diagnostic = Diagnostic::error(token.span(), format!("`{word}` does not go with the type before it"));
        let diagnostic = match types.base {
            Some(TypeSpec::Record(_) | TypeSpec::Enum(_)) => {
                diagnostic.help("is a `;` missing after the closing brace of the type?")
            }
            _ => diagnostic,
        };
        self.report(diagnostic)
    }
}
