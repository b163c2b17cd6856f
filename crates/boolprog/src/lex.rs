//! Text to tokens.

use robusto_syntax::{Diagnostic, Span};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where.
    pub span: Span,
}

/// Kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A name in braces.
    Braced,
    /// Digits.
    Number,
    /// An operator or a separator, as [`PUNCTUATION`] writes it.
    Punct(&'static str),
    /// The end of the text.
    End,
}

/// Operators and separators, and what each is read as; longer ones first.
const PUNCTUATION: [(&str, &str); 24] = [
    (":=", ":="),
    ("=>", "=>"),
    ("!=", "!="),
    ("==", "="),
    ("&&", "&"),
    ("||", "|"),
    ("=", "="),
    ("!", "!"),
    ("~", "!"),
    ("&", "&"),
    ("|", "|"),
    ("^", "^"),
    ("?", "?"),
    (":", ":"),
    (";", ";"),
    (",", ","),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("<", "<"),
    (">", ">"),
    ("*", "*"),
    ("'", "'"),
];

/// The tokens of a text whose first byte has the offset `base`; the last is [`Kind::End`].
pub fn tokens(text: &str, base: u32) -> Result<Vec<Token>, Diagnostic> {
    let bytes = text.as_bytes();
    let span = |lo: usize, hi: usize| Span::new(base + lo as u32, base + hi as u32);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some(end) = comment.find("*/") else {
                return Err(Diagnostic::error(span(at, at + 2), "this comment has no end"));
            };
            at += end + 4;
        } else if byte == b'{' {
            let Some(end) = rest.find(['}', '\n']).filter(|&end| rest[end..].starts_with('}')) else {
                return Err(Diagnostic::error(span(at, at + 1), "this name in braces has no end on its line"));
            };
            tokens.push(Token { kind: Kind::Braced, span: span(at, at + end + 1) });
            at += end + 1;
        } else if byte.is_ascii_digit() {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            if let Some(wrong) = rest[..end].find(|c: char| !c.is_ascii_digit()) {
                return Err(Diagnostic::error(span(at + wrong, at + end), "a name does not begin with a digit"));
            }
            tokens.push(Token { kind: Kind::Number, span: span(at, at + end) });
            at += end;
        } else if is_word(byte as char) {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token { kind: Kind::Word, span: span(at, at + end) });
            at += end;
        } else if let Some((written, read)) = PUNCTUATION.iter().find(|(written, _)| rest.starts_with(written)) {
            tokens.push(Token { kind: Kind::Punct(read), span: span(at, at + written.len()) });
            at += written.len();
        } else {
            let wrong = rest.chars().next().unwrap_or(' ');
            let message = format!("`{}` has no meaning in a Boolean program", wrong.escape_debug());
            return Err(Diagnostic::error(span(at, at + wrong.len_utf8()), message));
        }
    }
    tokens.push(Token { kind: Kind::End, span: span(text.len(), text.len()) });
    Ok(tokens)
}

/// Whether a character may stand in a name; digits do not begin one.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '@' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let text = "L1: {x->a == 0}, _ := ~b // c\n/* d\n */ && 'e";
        let words: Vec<&str> =
            tokens(text, 0).unwrap().iter().map(|t| &text[t.span.lo as usize..t.span.hi as usize]).collect();
        assert_eq!(words, ["L1", ":", "{x->a == 0}", ",", "_", ":=", "~", "b", "&&", "'", "e", ""]);
        assert_eq!(tokens(text, 0).unwrap()[8].kind, Kind::Punct("&"));
    }

    #[test]
    fn mistakes() {
        for (text, at) in [("a /* b", 2), ("{a\n}", 0), ("a \u{e9}", 2), ("12ab", 2), ("a %", 2)] {
            assert_eq!(tokens(text, 10).unwrap_err().span.lo, 10 + at, "{text}");
        }
    }
}
