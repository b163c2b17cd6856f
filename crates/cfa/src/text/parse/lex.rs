//! Tokens of the text form.

use super::ParseError;
use crate::text::print::bare_prefix;

/// A token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A bare name or keyword.
    Word(&'t str),
    /// A text in quotes, without them; the escapes are known to be valid.
    Quoted(&'t str),
    /// Bytes in hexadecimal, `x"00ff"`, without the quotes.
    Hex(&'t str),
    /// An unsigned integer.
    Int(u64),
    /// A float.
    Float(&'t str),
    /// The number of a name, `'2`.
    Copy(u32),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// End of a line.
    Newline,
    /// End of the text.
    End,
}

/// Operators and brackets; a prefix of another comes after it.
const SYMBOLS: &[&str] = &[
    "<=s", "<=u", ">>s", ">>u", "<<", "<=", "<s", "<u", "==", "!=", ":=", "->", "/s", "/u", "%s", "%u", "<", "/", "=",
    "!", ":", "+", "-", "*", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", "@", "#",
];

/// The tokens of a text with the offsets where they start.
pub(super) fn lex(text: &str) -> Result<Vec<(Token<'_>, usize)>, ParseError> {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let error = |message: &str| Err(ParseError::at(text, at, message));
        let (token, len) = match first {
            '\n' => (Some(Token::Newline), 1),
            ' ' | '\t' | '\r' => (None, 1),
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            'x' if rest.starts_with("x\"") => match rest[2..].find('"') {
                Some(len) => (Some(Token::Hex(&rest[2..2 + len])), len + 3),
                None => return error("a closing quote is missing"),
            },
            '"' => {
                let Some(len) = quoted(rest) else { return error("a closing quote is missing, or an escape is wrong") };
                (Some(Token::Quoted(&rest[1..len - 1])), len)
            }
            '0'..='9' => match number(rest) {
                Some((token, len)) => (Some(token), len),
                None => return error("this number is too large or has no digits"),
            },
            '\'' => {
                let len = 1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                let Ok(copy) = rest[1..len].parse() else { return error("a number must follow") };
                (Some(Token::Copy(copy)), len)
            }
            _ => match bare_prefix(rest) {
                0 => match symbol(rest) {
                    Some(symbol) => (Some(Token::Symbol(symbol)), symbol.len()),
                    None => return error("this character has no meaning here"),
                },
                len => (Some(Token::Word(&rest[..len])), len),
            },
        };
        tokens.extend(token.map(|token| (token, at)));
        at += len;
    }
    tokens.push((Token::End, text.len()));
    Ok(tokens)
}

/// The operator at the start; a letter that belongs to a name is no part of it.
fn symbol(text: &str) -> Option<&'static str> {
    SYMBOLS.iter().copied().find(|s| {
        let Some(rest) = text.strip_prefix(s) else { return false };
        let goes_on = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
        !(s.ends_with(['s', 'u']) && rest.bytes().next().is_some_and(goes_on))
    })
}

/// Length of a text in quotes.
fn quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            b'\\' => match bytes.get(at + 1)? {
                b'x' => {
                    let hex = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_hexdigit);
                    if !hex(at + 2) || !hex(at + 3) {
                        return None;
                    }
                    at += 4;
                }
                b'"' | b'\\' | b'n' | b'r' | b't' | b'0' => at += 2,
                _ => return None,
            },
            _ => at += 1,
        }
    }
}

/// The bytes that a text in quotes means.
pub(super) fn unquote(inside: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'0') => 0,
                Some(b'x') => {
                    let mut digit = || rest.next().map_or(0, |b| (b as char).to_digit(16).unwrap_or(0) as u8);
                    digit() * 16 + digit()
                }
                other => other.unwrap_or(b'\\'),
            },
            byte => byte,
        });
    }
    bytes
}

/// The bytes that hexadecimal digits (and spaces) mean.
pub(super) fn unhex(inside: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        inside.chars().filter(|&c| c != ' ').map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let digits = digits?;
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

fn number(text: &str) -> Option<(Token<'_>, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if text.starts_with("0x") {
        let len = 2 + bytes[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        return Some((Token::Int(u64::from_str_radix(&text[2..len], 16).ok()?), len));
    }
    let mut len = digits(0);
    let mut float = false;
    if bytes.get(len) == Some(&b'.') {
        float = true;
        len += 1 + digits(len + 1);
    }
    if bytes.get(len) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'-' | b'+')));
        let exponent = digits((len + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            float = true;
            len += 1 + sign + exponent;
        }
    }
    if float {
        return Some((Token::Float(&text[..len]), len));
    }
    Some((Token::Int(text[..len].parse().ok()?), len))
}
