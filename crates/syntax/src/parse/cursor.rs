//! Looking at tokens, accepting them, and saying what was expected instead.

use super::{Parse, Parser, Reported};
use crate::lex::{Keyword, Kind, Punct, Token};
use crate::{Diagnostic, Span, Symbol};

/// Number of diagnostics after which the parser gives up.
const MAX_ERRORS: usize = 20;

impl Parser<'_, '_> {
    #[inline]
    pub(super) fn at(&self, punct: Punct) -> bool {
        self.token.kind == Kind::Punct(punct)
    }

    #[inline]
    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.token.kind == Kind::Keyword(keyword)
    }

    /// The token after the current one.
    #[inline]
    pub(super) fn peek(&mut self) -> Kind {
        if self.ahead.is_none() {
            self.ahead = Some(self.lexer.next_token(self.names));
        }
        self.ahead.map_or(Kind::End, |token| token.kind)
    }

    #[inline]
    pub(super) fn peek_is(&mut self, punct: Punct) -> bool {
        self.peek() == Kind::Punct(punct)
    }

    /// Accepts the current token.
    #[inline]
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token;
        match token.kind {
            Kind::Punct(Punct::LBrace) => self.braces += 1,
            Kind::Punct(Punct::RBrace) => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.last_hi = token.hi;
        self.token = match self.ahead.take() {
            Some(ahead) => ahead,
            None => self.lexer.next_token(self.names),
        };
        token
    }

    #[inline]
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    #[inline]
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// Accepts `punct`, or says that it is missing `after` something.
    #[inline]
    pub(super) fn expect(&mut self, punct: Punct, after: &str) -> Parse<Token> {
        if self.at(punct) { Ok(self.bump()) } else { self.missing(punct, after) }
    }

    #[cold]
    fn missing(&mut self, punct: Punct, after: &str) -> Parse<Token> {
        let message = format!("expected `{}` {after}, found {}", punct.text(), self.found());
        // What is missing at the end of a line is missing there, not where the next line begins.
        let broken = self.lexer.line_break_between(self.last_hi, self.token.lo);
        let span = if broken { Span::new(self.last_hi, self.last_hi + 1) } else { self.token.span() };
        self.report(Diagnostic::error(span, message))
    }

    /// Accepts the `punct` that closes what `open` opened.
    #[inline]
    pub(super) fn expect_close(&mut self, punct: Punct, open: Token) -> Parse<Token> {
        if self.at(punct) { Ok(self.bump()) } else { self.unclosed(punct, open) }
    }

    #[cold]
    fn unclosed(&mut self, punct: Punct, open: Token) -> Parse<Token> {
        let opened = self.lexer.raw(open);
        let message = format!("expected `{}`, found {}", punct.text(), self.found());
        let diagnostic = Diagnostic::error(self.token.span(), message);
        self.report(diagnostic.note(open.span(), format!("to match this `{opened}`")))
    }

    pub(super) fn identifier(&mut self, what: &str) -> Parse<Symbol> {
        match self.token.kind {
            Kind::Ident(name) => {
                self.bump();
                Ok(name)
            }
            _ => self.unexpected(what),
        }
    }

    /// Fails: `what` was expected here.
    pub(super) fn unexpected<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.report(Diagnostic::error(self.token.span(), message))
    }

    /// Fails with a message about a place.
    pub(super) fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Parse<T> {
        self.report(Diagnostic::error(span, message))
    }

    /// Fails with a diagnostic; if the current token is none at all, that is the better one.
    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        let diagnostic = if self.token.kind == Kind::Error { self.lexer.explain(self.token) } else { diagnostic };
        self.errors.push(diagnostic);
        Err(Reported)
    }

    /// The current token in words.
    fn found(&self) -> String {
        match self.token.kind {
            Kind::End => "end of file".to_owned(),
            Kind::Str => "a string".to_owned(),
            Kind::Ident(name) if self.scopes.is_type(name) => format!("type name `{}`", self.names.text(name)),
            _ => {
                let text = self.lexer.spelling(self.token);
                let shown: String = text.chars().take(40).collect();
                format!("`{shown}`")
            }
        }
    }

    /// The span from offset `lo` to the end of the last accepted token.
    #[inline]
    pub(super) fn span_from(&self, lo: u32) -> Span {
        Span::new(lo, self.last_hi.max(lo))
    }

    /// After an error: skips to the end of the declaration at file scope. False if there is no point in going on.
    ///
    /// A closing brace in the first column ends a function in any usual layout, whatever braces are missing before it.
    pub(super) fn recover(&mut self) -> bool {
        if self.errors.len() >= MAX_ERRORS {
            return false;
        }
        self.depth.reset();
        self.scopes.leave_all();
        loop {
            let token = self.bump();
            match token.kind {
                Kind::End => return false,
                Kind::Punct(Punct::RBrace) if self.braces == 0 || self.lexer.in_first_column(token) => {
                    self.braces = 0;
                    self.eat(Punct::Semi);
                    return true;
                }
                Kind::Punct(Punct::Semi) if self.braces == 0 => return true,
                _ => {}
            }
        }
    }
}
