//! Replacement of parameters: `subst` of Prosser's algorithm.

use super::expand::{Arguments, escaped};
use super::macros::Function;
use super::source::is;
use super::{Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::Punct;

/// An invocation under way.
struct Invocation<'m> {
    function: &'m Function,
    arguments: &'m [Vec<PpToken>],
    /// No variable arguments are given.
    rest_omitted: bool,
    /// Arguments after expansion, computed when first needed.
    expanded: Vec<Option<Vec<PpToken>>>,
    name: PpToken,
    depth: u32,
}

impl Invocation<'_> {
    fn param(&self, token: &PpToken) -> Option<usize> {
        let name = Some(token.text).filter(|_| token.kind == PpKind::Ident)?;
        self.function.params.iter().position(|&param| param == name)
    }

    fn is_rest(&self, param: usize) -> bool {
        self.function.variadic && param + 1 == self.function.params.len()
    }
}

impl Preprocessor<'_> {
    /// The body of a macro without parameters: only `##` does something.
    pub(super) fn substitute_object(&mut self, body: &[PpToken], name: PpToken) -> Pp<Vec<PpToken>> {
        if !body.iter().any(|token| is(token, Punct::HashHash)) {
            return Ok(body.to_vec());
        }
        let function = Function { params: Vec::new(), variadic: false, body: Vec::new() };
        let mut call = Invocation {
            function: &function,
            arguments: &[],
            rest_omitted: false,
            expanded: Vec::new(),
            name,
            depth: 0,
        };
        let mut out = Vec::new();
        self.substitute_part(&mut call, body, &mut out, true)?;
        Ok(without_placemarkers(out))
    }

    /// The body of a macro with its parameters replaced.
    pub(super) fn substitute(
        &mut self,
        function: &Function,
        arguments: &Arguments,
        name: PpToken,
        depth: u32,
    ) -> Pp<Vec<PpToken>> {
        let Arguments { list: arguments, rest_omitted, .. } = arguments;
        let expanded = vec![None; arguments.len()];
        let mut call = Invocation { function, arguments, rest_omitted: *rest_omitted, expanded, name, depth };
        let mut out = Vec::new();
        self.substitute_part(&mut call, &function.body, &mut out, false)?;
        Ok(without_placemarkers(out))
    }

    /// Appends a part of a body to `out`; in an `object` macro `#` is an ordinary token.
    fn substitute_part(
        &mut self,
        call: &mut Invocation<'_>,
        body: &[PpToken],
        out: &mut Vec<PpToken>,
        object: bool,
    ) -> Pp<()> {
        let mut at = 0;
        while let Some(&token) = body.get(at) {
            at += 1;
            let next = body.get(at);
            if is(&token, Punct::Hash)
                && !object
                && let Some(param) = next.and_then(|next| call.param(next))
            {
                out.push(self.stringized(&call.arguments[param], token));
                at += 1;
            } else if is(&token, Punct::HashHash)
                && let Some(next) = next
            {
                at += 1;
                self.paste_next(call, *next, out)?;
            } else if let Some(param) = call.param(&token) {
                if next.is_some_and(|next| is(next, Punct::HashHash)) {
                    append(out, &call.arguments[param], token, true);
                } else {
                    self.expand_argument(call, param)?;
                    append(out, call.expanded[param].as_deref().unwrap_or(&[]), token, false);
                }
            } else if token.text == self.words.va_opt && call.function.variadic {
                at += self.optional_part(call, &body[at..], out, object)?;
            } else {
                out.push(token);
            }
        }
        Ok(())
    }

    fn expand_argument(&mut self, call: &mut Invocation<'_>, param: usize) -> Pp<()> {
        if call.expanded[param].is_none() {
            call.expanded[param] = Some(self.expand_list(&call.arguments[param], call.depth + 1)?);
        }
        Ok(())
    }

    /// The right side of `##`, whose left side ends `out`.
    fn paste_next(&mut self, call: &Invocation<'_>, right: PpToken, out: &mut Vec<PpToken>) -> Pp<()> {
        let Some(param) = call.param(&right) else { return self.paste(out, &[right], call.name) };
        let argument = &call.arguments[param];
        // GNU: `, ## __VA_ARGS__` pastes nothing, but drops the comma if the variable arguments are left out.
        if call.is_rest(param) && out.last().is_some_and(|last| is(last, Punct::Comma)) {
            if call.rest_omitted {
                out.pop();
            }
            append(out, argument, right, true);
            return Ok(());
        }
        let mut operand = Vec::new();
        append(&mut operand, argument, right, true);
        self.paste(out, &operand, call.name)
    }

    /// `__VA_OPT__(part)`: the part if there are variable arguments. Returns the number of tokens taken from `rest`.
    fn optional_part(
        &mut self,
        call: &mut Invocation<'_>,
        rest: &[PpToken],
        out: &mut Vec<PpToken>,
        object: bool,
    ) -> Pp<usize> {
        let mut nesting = 0;
        let close = rest.iter().position(|token| {
            nesting += i32::from(is(token, Punct::LParen)) - i32::from(is(token, Punct::RParen));
            nesting == 0
        });
        let part = match close {
            Some(close) if close > 0 => &rest[1..close],
            _ => return fail(call.name.offset, "`__VA_OPT__` without its parentheses"),
        };
        if part.iter().any(|token| token.text == self.words.va_opt) {
            return fail(call.name.offset, "`__VA_OPT__` inside `__VA_OPT__`");
        }
        let last = call.function.params.len() - 1;
        self.expand_argument(call, last)?;
        if call.expanded[last].as_ref().is_some_and(|argument| !argument.is_empty()) {
            self.substitute_part(call, part, out, object)?;
        }
        Ok(part.len() + 2)
    }

    /// `#parameter`: the spelling of the argument as a string; quotes and backslashes in literals are escaped.
    fn stringized(&mut self, argument: &[PpToken], hash: PpToken) -> PpToken {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if token.spaced && index > 0 {
                text.push(' ');
            }
            let spelling = self.names.text(token.text);
            if matches!(token.kind, PpKind::Str | PpKind::Char) {
                text.push_str(&escaped(spelling));
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        PpToken { kind: PpKind::Str, text: self.names.intern(&text), ..hash }
    }
}

/// Appends an argument in place of a parameter; as an operand of `##`, an empty one leaves a placemarker.
fn append(out: &mut Vec<PpToken>, argument: &[PpToken], param: PpToken, operand: bool) {
    let start = out.len();
    out.extend_from_slice(argument);
    if argument.is_empty() && operand {
        out.push(PpToken { kind: PpKind::Placemarker, ..param });
    }
    if let Some(first) = out.get_mut(start) {
        first.spaced = param.spaced;
    }
}

fn without_placemarkers(mut tokens: Vec<PpToken>) -> Vec<PpToken> {
    tokens.retain(|token| token.kind != PpKind::Placemarker);
    tokens
}
