//! Directives and conditional groups.

use super::expand::escaped;
use super::source::is;
use super::{Pp, PpKind, PpToken, Preprocessor, fail};
use crate::lex::Punct;
use crate::lex::quoted;

/// An open `#if`.
pub(super) struct Condition {
    /// Where it stands.
    offset: u32,
    /// One of its groups was or is being read.
    taken: bool,
    /// `#else` was seen.
    last: bool,
}

impl Preprocessor<'_> {
    /// The next token of the source; directives before it are executed.
    pub(super) fn source_token(&mut self) -> Pp<Option<PpToken>> {
        while let Some((token, first)) = self.source.next(&mut self.names)? {
            if !(first && is(&token, Punct::Hash)) {
                return Ok(Some(token));
            }
            self.directive(token)?;
        }
        match self.conditions.last() {
            Some(open) => fail(open.offset, "`#if` without `#endif`"),
            None => Ok(None),
        }
    }

    fn directive(&mut self, hash: PpToken) -> Pp<()> {
        let Some(name) = self.source.next_in_line(&mut self.names)? else { return Ok(()) };
        let tokens = self.source.rest_of_line(&mut self.names)?;
        if name.kind == PpKind::Number {
            return self.line_directive(&[&[name], &tokens[..]].concat(), name);
        }
        let text = self.names.text(name.text).to_owned();
        match text.as_str() {
            "define" => self.define(&tokens, name.offset),
            "undef" => self.undefine(&tokens, name.offset),
            "if" | "ifdef" | "ifndef" => {
                let taken = self.condition(&text, &tokens, name)?;
                self.conditions.push(Condition { offset: hash.offset, taken, last: false });
                if taken { Ok(()) } else { self.skip_groups() }
            }
            "else" | "elif" | "elifdef" | "elifndef" => match self.conditions.last_mut() {
                None => fail(hash.offset, format!("`#{text}` without `#if`")),
                Some(open) if open.last => fail(hash.offset, format!("`#{text}` after `#else`")),
                Some(open) => {
                    open.last = text == "else";
                    self.skip_groups()
                }
            },
            "endif" => match self.conditions.pop() {
                Some(_) => Ok(()),
                None => fail(hash.offset, "`#endif` without `#if`"),
            },
            "line" => {
                let expanded = self.expand_list(&tokens, 0)?;
                self.line_directive(&expanded, name)
            }
            "error" => fail(hash.offset, format!("#error {}", self.spelling(&tokens))),
            "pragma" => {
                let line = self.source.line(hash.offset);
                let text = format!("#pragma {}", self.spelling(&tokens));
                self.writer.line(&text, line);
                self.keep_macro(&tokens);
                Ok(())
            }
            "warning" | "ident" | "sccs" => Ok(()),
            "include" | "include_next" | "import" | "embed" => {
                fail(hash.offset, format!("`#{text}` needs an external preprocessor"))
            }
            _ => fail(hash.offset, format!("unknown directive `#{text:.40}`")),
        }
    }

    fn condition(&mut self, directive: &str, tokens: &[PpToken], name: PpToken) -> Pp<bool> {
        if directive.ends_with("if") {
            return self.evaluate(tokens, name.offset);
        }
        match tokens.first() {
            Some(token) if token.kind == PpKind::Ident => Ok(self.is_defined(token) != directive.ends_with("ndef")),
            _ => fail(name.offset, format!("no macro name after `#{directive}`")),
        }
    }

    /// Skips groups of the innermost `#if` up to one that is to be read, or its end.
    fn skip_groups(&mut self) -> Pp<()> {
        let mut nesting = 0;
        while let Some((token, first)) = self.source.next(&mut self.names)? {
            if !(first && is(&token, Punct::Hash)) {
                continue;
            }
            let Some(name) = self.source.next_in_line(&mut self.names)? else { continue };
            let text = self.names.text(name.text).to_owned();
            match text.as_str() {
                "if" | "ifdef" | "ifndef" => nesting += 1,
                "endif" if nesting > 0 => nesting -= 1,
                "endif" => {
                    self.source.rest_of_line(&mut self.names)?;
                    self.conditions.pop();
                    return Ok(());
                }
                "else" | "elif" | "elifdef" | "elifndef"
                    if nesting == 0 && self.enters_group(&text, token, name)? =>
                {
                    return Ok(());
                }
                _ => {}
            }
        }
        match self.conditions.last() {
            Some(open) => fail(open.offset, "`#if` without `#endif`"),
            None => Ok(()),
        }
    }

    /// Whether the group after a further `#else` or `#elif` of the innermost `#if` is to be read.
    fn enters_group(&mut self, text: &str, hash: PpToken, name: PpToken) -> Pp<bool> {
        let Some(open) = self.conditions.last_mut() else { return Ok(false) };
        if open.last {
            return fail(hash.offset, format!("`#{text}` after `#else`"));
        }
        open.last = text == "else";
        if open.taken {
            return Ok(false);
        }
        let tokens = self.source.rest_of_line(&mut self.names)?;
        let taken = text == "else" || self.condition(text, &tokens, name)?;
        if let Some(open) = self.conditions.last_mut() {
            open.taken = taken;
        }
        Ok(taken)
    }

    /// `#line 12 "file"` (also `# 12 "file"`) with its tokens after expansion.
    fn line_directive(&mut self, tokens: &[PpToken], name: PpToken) -> Pp<()> {
        let number = tokens.first().filter(|token| token.kind == PpKind::Number);
        let line = number.and_then(|token| self.names.text(token.text).parse::<u32>().ok());
        let Some(line) = line.filter(|&line| i32::try_from(line).is_ok()) else {
            return fail(name.offset, "expected a line number");
        };
        if let Some(token) = tokens.get(1) {
            let (encoding, body) = quoted::split(self.names.text(token.text));
            let mut units = Vec::new();
            if token.kind != PpKind::Str || quoted::string(body, encoding, &mut units).is_err() {
                return fail(token.offset, "expected a file name");
            }
            let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
            self.file = String::from_utf8_lossy(&bytes).into_owned();
        }
        let here = self.source.line(name.offset);
        self.line_shift = i64::from(line) - i64::from(here) - 1;
        let marker = format!("# {line} \"{}\"", escaped(&self.file));
        self.writer.line(&marker, here);
        Ok(())
    }

    fn spelling(&self, tokens: &[PpToken]) -> String {
        let mut out = String::new();
        for (index, token) in tokens.iter().enumerate() {
            if token.spaced && index > 0 {
                out.push(' ');
            }
            out.push_str(self.names.text(token.text));
        }
        out
    }
}
