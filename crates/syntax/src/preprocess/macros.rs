//! Macros and their definitions.

use super::has::is_operator;
use super::source::is;
use super::{Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::Punct;
use crate::{Interner, Symbol};
use std::rc::Rc;

/// A macro.
#[derive(Debug)]
pub(super) enum Macro {
    /// `#define NAME body`
    Object(Vec<PpToken>),
    /// `#define NAME(parameters) body`
    Function(Function),
    /// A macro whose value depends on where it stands.
    Builtin(Builtin),
}

/// A macro with parameters.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) params: Vec<Symbol>,
    /// The last parameter takes all further arguments.
    pub(super) variadic: bool,
    pub(super) body: Vec<PpToken>,
}

/// Macros that the preprocessor computes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Builtin {
    Line,
    File,
    Counter,
}

/// Names with a meaning of their own.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) defined: Symbol,
    pub(super) va_args: Symbol,
    pub(super) va_opt: Symbol,
}

impl Words {
    pub(super) fn new(names: &mut Interner) -> Self {
        Self {
            defined: names.intern("defined"),
            va_args: names.intern("__VA_ARGS__"),
            va_opt: names.intern("__VA_OPT__"),
        }
    }
}

impl Preprocessor<'_> {
    /// `#define` with the tokens after it; `at` is the directive's place.
    pub(super) fn define(&mut self, tokens: &[PpToken], at: u32) -> Pp<()> {
        let Some((name, rest)) = tokens.split_first() else { return fail(at, "no macro name after `#define`") };
        if name.kind != PpKind::Ident || name.text == self.words.defined {
            return fail(name.offset, "a macro name must be an identifier other than `defined`");
        }
        let definition = match rest.first() {
            Some(open) if is(open, Punct::LParen) && !open.spaced => Macro::Function(self.function(&rest[1..], at)?),
            _ => Macro::Object(self.body(rest)?),
        };
        self.macros.insert(name.text, Rc::new(definition));
        Ok(())
    }

    /// Parameters and body after the opening parenthesis.
    fn function(&mut self, tokens: &[PpToken], at: u32) -> Pp<Function> {
        let Some(close) = tokens.iter().position(|token| is(token, Punct::RParen)) else {
            return fail(at, "the parameter list of the macro does not end");
        };
        let (mut params, mut variadic) = (Vec::new(), false);
        let list = &tokens[..close];
        let groups = list.split(|token| is(token, Punct::Comma));
        for group in groups.filter(|_| !list.is_empty()) {
            let place = group.first().map_or(at, |token| token.offset);
            let name = match group {
                _ if variadic => return fail(place, "a parameter after `...`"),
                [name] if name.kind == PpKind::Ident => name.text,
                [dots] if is(dots, Punct::Ellipsis) => {
                    variadic = true;
                    self.words.va_args
                }
                [name, dots] if name.kind == PpKind::Ident && is(dots, Punct::Ellipsis) => {
                    variadic = true;
                    name.text
                }
                _ => return fail(place, "expected a parameter name"),
            };
            if params.contains(&name) {
                return fail(place, format!("two parameters `{}`", self.names.text(name)));
            }
            params.push(name);
        }
        let body = self.body(&tokens[close + 1..])?;
        let wrong = body.windows(2).map(|pair| (&pair[0], Some(&pair[1]))).chain(body.last().map(|last| (last, None)));
        for (token, next) in wrong {
            let named = next.is_some_and(|next| params.contains(&next.text) || next.text == self.words.va_opt);
            if is(token, Punct::Hash) && !named {
                return fail(token.offset, "`#` is not followed by a parameter");
            }
        }
        Ok(Function { params, variadic, body })
    }

    fn body(&self, tokens: &[PpToken]) -> Pp<Vec<PpToken>> {
        for end in [tokens.first(), tokens.last()].into_iter().flatten() {
            if is(end, Punct::HashHash) {
                return fail(end.offset, "`##` at an end of the macro");
            }
        }
        Ok(tokens.iter().map(|token| PpToken { written: false, ..*token }).collect())
    }

    /// `#undef`
    pub(super) fn undefine(&mut self, tokens: &[PpToken], at: u32) -> Pp<()> {
        match tokens {
            [name, ..] if name.kind == PpKind::Ident => {
                self.macros.remove(&name.text);
                Ok(())
            }
            _ => fail(at, "no macro name after `#undef`"),
        }
    }

    /// Whether a name counts as defined.
    pub(super) fn is_defined(&self, name: &PpToken) -> bool {
        self.macros.contains_key(&name.text) || is_operator(self.names.text(name.text))
    }

    /// `#pragma push_macro("NAME")` and `#pragma pop_macro("NAME")`, with the tokens after `#pragma`.
    pub(super) fn keep_macro(&mut self, tokens: &[PpToken]) {
        let [word, open, name, close] = tokens else { return };
        if !is(open, Punct::LParen) || !is(close, Punct::RParen) || name.kind != PpKind::Str {
            return;
        }
        let text = self.names.text(name.text).trim_matches('"').to_owned();
        let name = self.names.intern(&text);
        match self.names.text(word.text) {
            "push_macro" => self.pushed.push((name, self.macros.get(&name).cloned())),
            "pop_macro" => {
                let Some(at) = self.pushed.iter().rposition(|&(pushed, _)| pushed == name) else { return };
                match self.pushed.remove(at).1 {
                    Some(definition) => self.macros.insert(name, definition),
                    None => self.macros.remove(&name),
                };
            }
            _ => {}
        }
    }
}
