//! Bytes to text, and what the text asks of a preprocessor.

/// The directives of a text. Line markers and pragmas do not count: the lexer reads them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Directives {
    /// None: the text is ready for the parser.
    None,
    /// Some, but no `#include`.
    Plain,
    /// At least one `#include`, the first at this offset.
    Include(usize),
}

/// Decodes a file's bytes.
///
/// Text that is not UTF-8 is taken for Latin-1: each byte becomes one character, so lines and columns stay what the
/// user's editor shows. Inside a literal that would turn one byte into two, and the program would compute something
/// else; there the byte becomes an octal escape (`\351`), which means the same byte to C.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| decode_latin1(error.as_bytes()))
}

fn decode_latin1(bytes: &[u8]) -> String {
    let mut in_literal = vec![false; bytes.len()];
    scan(bytes, |at, place| in_literal[at] = place == Place::Literal);
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for (&byte, literal) in bytes.iter().zip(in_literal) {
        if literal && !byte.is_ascii() {
            text.push_str(&format!("\\{byte:03o}"));
        } else {
            text.push(char::from(byte));
        }
    }
    text
}

/// Which directives a text has, outside of comments and literals.
pub fn directives(text: &str) -> Directives {
    let mut found = Directives::None;
    // Most large inputs are preprocessed files without any `#`.
    if !text.contains('#') && !text.contains("%:") {
        return found;
    }
    let bytes = text.as_bytes();
    scan(bytes, |at, place| {
        let rest = &bytes[at..];
        let after = rest.strip_prefix(b"#").or_else(|| rest.strip_prefix(b"%:"));
        if let (Place::LineStart, Some(after)) = (place, after) {
            match (word(after), found) {
                (_, Directives::Include(_)) => {}
                (b"include" | b"include_next" | b"import", _) => found = Directives::Include(at),
                (b"" | b"line" | b"pragma" | b"ident" | b"sccs", _) => {}
                _ => found = Directives::Plain,
            }
        }
    });
    found
}

/// The directive's name; empty for a line marker.
fn word(after_hash: &[u8]) -> &[u8] {
    let start = after_hash.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(after_hash.len());
    let rest = &after_hash[start..];
    let end = rest.iter().position(|&b| !(b.is_ascii_alphabetic() || b == b'_')).unwrap_or(rest.len());
    &rest[..end]
}

/// Where a byte stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// The first byte of a line but for blanks and comments.
    LineStart,
    /// Elsewhere outside of comments and literals.
    Code,
    /// Between the quotes of a string or a character.
    Literal,
}

/// Visits each byte that is neither blank nor in a comment.
fn scan(bytes: &[u8], mut visit: impl FnMut(usize, Place)) {
    enum State {
        Code,
        LineComment,
        BlockComment,
        Literal(u8),
    }
    let mut state = State::Code;
    let mut line_start = true;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied();
        if byte == b'\\' && matches!(next, Some(b'\n' | b'\r')) {
            at += if bytes[at + 1..].starts_with(b"\r\n") { 3 } else { 2 };
            continue;
        }
        let mut width = 1;
        match state {
            State::Code => match (byte, next) {
                (b'/', Some(b'*')) => (state, width) = (State::BlockComment, 2),
                (b'/', Some(b'/')) => (state, width) = (State::LineComment, 2),
                (b'\n', _) => line_start = true,
                (b' ' | b'\t' | b'\r' | 0x0B | 0x0C, _) => {}
                _ => {
                    visit(at, if line_start { Place::LineStart } else { Place::Code });
                    line_start = false;
                    if let b'"' | b'\'' = byte {
                        state = State::Literal(byte);
                    }
                }
            },
            State::LineComment | State::Literal(_) if byte == b'\n' => (state, line_start) = (State::Code, true),
            State::LineComment => {}
            State::BlockComment => {
                if let (b'*', Some(b'/')) = (byte, next) {
                    (state, width) = (State::Code, 2);
                }
            }
            State::Literal(quote) if byte == quote => {
                visit(at, Place::Code);
                state = State::Code;
            }
            State::Literal(_) => {
                visit(at, Place::Literal);
                if let (b'\\', Some(_)) = (byte, next) {
                    visit(at + 1, Place::Literal);
                    width = 2;
                }
            }
        }
        at += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_kept() {
        assert_eq!(decode("/* é */ \"é\"".into()), "/* é */ \"é\"");
    }

    #[test]
    fn latin1_keeps_columns_and_the_bytes_of_literals() {
        assert_eq!(decode(b"/* \xe9 \" */ \"\xe9\\\"\xff\" 'a' \xe9".to_vec()), "/* é \" */ \"\\351\\\"\\377\" 'a' é");
    }

    fn check(text: &str, expected: Directives) {
        assert_eq!(directives(text), expected, "{text:?}");
    }

    #[test]
    fn no_directives() {
        check("", Directives::None);
        check("int x;\n", Directives::None);
        check("# 1 \"a.c\" 3\n#pragma once\n#line 3\n#\n#ident \"x\"\n", Directives::None);
        check("/*\n#include <a.h>\n*/ // x \\\n#include <b.h>\n", Directives::None);
        check("char *s = \"\\\n#include <a.h>\";\n", Directives::None);
        check("int y; #define X\n", Directives::None);
    }

    #[test]
    fn plain_directives() {
        check("#define X 1\n", Directives::Plain);
        check("int x;\n /* c */ # \tif 0\n", Directives::Plain);
        check("%:define X\n", Directives::Plain);
        check("#error don't\n#undef Y\n", Directives::Plain);
    }

    #[test]
    fn includes() {
        check("#define X\n#include <a.h>\n", Directives::Include(10));
        check("#error don't\n#  include \"b.h\"", Directives::Include(13));
        check("\r\n#include_next <a.h>\r\n#define X\n", Directives::Include(2));
    }
}
