//! `struct`, `union` and `enum`.

use super::declarator::Naming;
use super::item::is_implicit;
use super::{Parse, Parser};
use crate::Symbol;
use crate::ast::{EnumSpec, Enumerator, LayoutPragmas, Member, MemberDeclarator, RecordKind, RecordSpec, TypeSpec};
use crate::lex::{Keyword, Kind, Punct};

impl<'a> Parser<'a, '_> {
    pub(super) fn record(&mut self, kind: RecordKind) -> Parse<TypeSpec<'a>> {
        let lo = self.bump().lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut pragmas = LayoutPragmas::default();
        let members = if self.at(Punct::LBrace) {
            let members;
            (members, pragmas) = self.members()?;
            self.attributes(&mut attrs)?;
            Some(members)
        } else if tag.is_none() {
            return self.unexpected("a tag or `{`");
        } else {
            None
        };
        let record = RecordSpec { kind, tag, members, attrs: self.slice(&attrs), pragmas, span: self.span_from(lo) };
        Ok(TypeSpec::Record(self.alloc(record)))
    }

    fn tag(&mut self) -> Option<Symbol> {
        let Kind::Ident(tag) = self.token.kind else { return None };
        self.bump();
        Some(tag)
    }

    fn members(&mut self) -> Parse<(&'a [Member<'a>], LayoutPragmas)> {
        let open = self.bump();
        let mut members = Vec::new();
        loop {
            match self.token.kind {
                Kind::Punct(Punct::Semi) | Kind::Keyword(Keyword::Extension) => {
                    self.bump();
                }
                Kind::Keyword(Keyword::StaticAssert) => {
                    self.static_assert()?;
                }
                Kind::Punct(Punct::RBrace) | Kind::End => break,
                _ => members.push(self.nested(Self::member)?),
            }
        }
        // As in GCC, the pragmas count that stand before the closing brace.
        let pragmas = self.lexer.layout();
        self.expect_close(Punct::RBrace, open)?;
        Ok((self.slice(&members), pragmas))
    }

    fn member(&mut self) -> Parse<Member<'a>> {
        let lo = self.token.lo;
        if let Kind::Ident(name) = self.token.kind
            && !self.scopes.is_type(name)
        {
            return self.unknown_type(name);
        }
        let specs = self.specs_without_storage("a member")?;
        if is_implicit(&specs) && self.span_from(lo).lo == self.token.lo {
            return self.unexpected("a member declaration");
        }
        let mut declarators = Vec::new();
        if !self.at(Punct::Semi) && !self.at(Punct::RBrace) {
            loop {
                declarators.push(self.member_declarator()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        // As in GCC, the last member may do without a semicolon.
        if !self.at(Punct::RBrace) {
            self.expect(Punct::Semi, "after member")?;
        }
        Ok(Member { specs, declarators: self.slice(&declarators), span: self.span_from(lo) })
    }

    fn member_declarator(&mut self) -> Parse<MemberDeclarator<'a>> {
        let naming = if self.at(Punct::Colon) { Naming::Forbidden } else { Naming::Required };
        let mut declarator = self.declarator(naming)?;
        self.declarator_suffix(&mut declarator)?;
        let bits = if self.eat(Punct::Colon) { Some(self.conditional()?) } else { None };
        self.declarator_suffix(&mut declarator)?;
        Ok(MemberDeclarator { declarator, bits })
    }

    pub(super) fn enumeration(&mut self) -> Parse<TypeSpec<'a>> {
        let lo = self.bump().lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let enumerators = if self.at(Punct::LBrace) {
            let enumerators = self.enumerators()?;
            self.attributes(&mut attrs)?;
            Some(enumerators)
        } else if tag.is_none() {
            return self.unexpected("a tag or `{`");
        } else {
            None
        };
        let spec = EnumSpec { tag, enumerators, attrs: self.slice(&attrs), span: self.span_from(lo) };
        Ok(TypeSpec::Enum(self.alloc(spec)))
    }

    fn enumerators(&mut self) -> Parse<&'a [Enumerator<'a>]> {
        let open = self.bump();
        let mut enumerators = Vec::new();
        while !self.at(Punct::RBrace) {
            let lo = self.token.lo;
            let name = self.identifier("an enumerator")?;
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(Punct::Eq) { Some(self.conditional()?) } else { None };
            self.scopes.declare(name);
            enumerators.push(Enumerator { name, value, span: self.span_from(lo) });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(self.slice(&enumerators))
    }
}
