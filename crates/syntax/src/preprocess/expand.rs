//! Macro expansion: `expand` of Prosser's algorithm, one token at a time.

use super::macros::{Builtin, Function, Macro};
use super::source::is;
use super::{Failure, Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::Punct;
use std::rc::Rc;

/// Tokens to be expanded: first those that were put back, then (perhaps) those of the source.
pub(super) struct Stream {
    /// In reverse order.
    pending: Vec<PpToken>,
    from_source: bool,
}

impl Stream {
    /// The tokens of the source.
    pub(super) fn source() -> Self {
        Self { pending: Vec::new(), from_source: true }
    }

    fn list(tokens: &[PpToken]) -> Self {
        Self { pending: tokens.iter().rev().copied().collect(), from_source: false }
    }
}

/// Arguments of a macro, and the closing parenthesis.
pub(super) struct Arguments {
    pub(super) list: Vec<Vec<PpToken>>,
    /// No variable arguments are given, not even an empty one.
    pub(super) rest_omitted: bool,
    close: PpToken,
}

/// Deepest nesting of invocations within arguments.
const MAX_DEPTH: u32 = 400;

/// Most tokens that macros may produce; a few lines can ask for more than fits any memory.
const MAX_PRODUCED: usize = 10_000_000;

impl Preprocessor<'_> {
    fn pull(&mut self, stream: &mut Stream) -> Pp<Option<PpToken>> {
        match stream.pending.pop() {
            Some(token) => Ok(Some(token)),
            None if stream.from_source => self.source_token(),
            None => Ok(None),
        }
    }

    /// The next token that is not the name of a macro to be expanded.
    pub(super) fn expanded(&mut self, stream: &mut Stream, depth: u32) -> Pp<Option<PpToken>> {
        while let Some(token) = self.pull(stream)? {
            let expanded = match self.macros.get(&token.text) {
                Some(definition) if token.kind == PpKind::Ident && !self.hides.contains(token.hide, token.text) => {
                    let definition = Rc::clone(definition);
                    self.expand_macro(token, &definition, stream, depth)?
                }
                _ => false,
            };
            if !expanded {
                return Ok(Some(token));
            }
        }
        Ok(None)
    }

    /// All tokens of a list, expanded.
    pub(super) fn expand_list(&mut self, tokens: &[PpToken], depth: u32) -> Pp<Vec<PpToken>> {
        if depth > MAX_DEPTH {
            return fail(tokens.first().map_or(0, |token| token.offset), "macro invocations nested too deep");
        }
        let mut stream = Stream::list(tokens);
        let mut out = Vec::new();
        while let Some(token) = self.expanded(&mut stream, depth)? {
            out.push(token);
        }
        Ok(out)
    }

    /// Puts the expansion of a macro back into the stream; false if its name stands without arguments.
    fn expand_macro(&mut self, name: PpToken, definition: &Macro, stream: &mut Stream, depth: u32) -> Pp<bool> {
        let too_large = || Failure { message: "macro expansion too large".to_owned(), offset: name.offset };
        let (mut tokens, inherited) = match definition {
            Macro::Builtin(builtin) => {
                let token = self.builtin(*builtin, name);
                stream.pending.push(token);
                return Ok(true);
            }
            Macro::Object(body) => (self.substitute_object(body, name)?, name.hide),
            Macro::Function(function) => {
                let Some(arguments) = self.arguments(name, function, stream)? else { return Ok(false) };
                let inherited = self.hides.intersection(name.hide, arguments.close.hide).ok_or_else(too_large)?;
                (self.substitute(function, &arguments, name, depth)?, inherited)
            }
        };
        let hide = self.hides.add(inherited, name.text).ok_or_else(too_large)?;
        self.produced += tokens.len();
        if self.produced > MAX_PRODUCED {
            return Err(too_large());
        }
        for token in &mut tokens {
            token.hide = self.hides.union(token.hide, hide).ok_or_else(too_large)?;
            (token.offset, token.written) = (name.offset, false);
        }
        if let Some(first) = tokens.first_mut() {
            first.spaced = name.spaced;
        }
        stream.pending.extend(tokens.into_iter().rev());
        Ok(true)
    }

    fn builtin(&mut self, builtin: Builtin, name: PpToken) -> PpToken {
        let (kind, text) = match builtin {
            Builtin::Line => (PpKind::Number, self.presumed_line(name.offset).to_string()),
            Builtin::File => (PpKind::Str, format!("\"{}\"", escaped(&self.file))),
            Builtin::Counter => {
                self.counter += 1;
                (PpKind::Number, (self.counter - 1).to_string())
            }
        };
        PpToken { kind, text: self.names.intern(&text), written: false, ..name }
    }

    /// The arguments of a macro whose name was read; `None`, and nothing read, if there is no parenthesis.
    fn arguments(&mut self, name: PpToken, function: &Function, stream: &mut Stream) -> Pp<Option<Arguments>> {
        if !self.eat_open(stream)? {
            return Ok(None);
        }
        let mut list = vec![Vec::new()];
        let mut nesting = 0;
        let close = loop {
            let Some(token) = self.pull(stream)? else {
                let text = self.names.text(name.text);
                return fail(name.offset, format!("the arguments of macro `{text}` do not end"));
            };
            let rest = function.variadic && list.len() == function.params.len();
            match token.kind {
                PpKind::Punct(Punct::RParen) if nesting == 0 => break token,
                PpKind::Punct(Punct::Comma) if nesting == 0 && !rest => {
                    list.push(Vec::new());
                    continue;
                }
                PpKind::Punct(Punct::LParen) => nesting += 1,
                PpKind::Punct(Punct::RParen) => nesting -= 1,
                _ => {}
            }
            if let Some(argument) = list.last_mut() {
                argument.push(token);
            }
        };
        let rest_omitted = self.check_count(name, function, &mut list)?;
        Ok(Some(Arguments { list, rest_omitted, close }))
    }

    /// Accepts an opening parenthesis. As in GCC, the search for it ends at a directive.
    fn eat_open(&mut self, stream: &mut Stream) -> Pp<bool> {
        if let Some(token) = stream.pending.last() {
            let found = is(token, Punct::LParen);
            if found {
                stream.pending.pop();
            }
            return Ok(found);
        }
        if stream.from_source { self.source.eat(Punct::LParen, &mut self.names) } else { Ok(false) }
    }

    /// Brings the arguments to the number of parameters if that is allowed; whether the variable ones are left out.
    fn check_count(&self, name: PpToken, function: &Function, list: &mut Vec<Vec<PpToken>>) -> Pp<bool> {
        let wanted = function.params.len();
        if wanted == 0 && list.len() == 1 && list[0].is_empty() {
            list.clear();
        }
        // GNU: the variable arguments may be left out with their comma.
        if function.variadic && list.len() + 1 == wanted {
            list.push(Vec::new());
            return Ok(true);
        }
        if list.len() == wanted {
            return Ok(function.variadic && wanted == 1 && list[0].is_empty());
        }
        let text = self.names.text(name.text);
        fail(name.offset, format!("macro `{text}` takes {wanted} arguments, but {} are given", list.len()))
    }
}

/// Text with its quotes and backslashes escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
