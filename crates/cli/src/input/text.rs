//! Bytes to text, and what the text asks of a preprocessor.

use robusto_syntax::preprocess;

/// Who has to preprocess a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preprocessor {
    /// Nobody: there are no directives and no predefined macros, except perhaps lower-case ones outside of a
    /// directive (`__i386__` as an operand), which nobody writes.
    None,
    /// We do.
    Ours,
    /// The C compiler: the text includes headers.
    Compiler,
}

/// Finds out who has to preprocess a text.
pub fn preprocessor(text: &str) -> Preprocessor {
    // Most large files have no `#` at all, and hardly one has its digraph. Looking for directives costs a seventh of what compiling
    // costs, and preprocessing for nothing three quarters.
    let may_have_directives = text.contains('#') || text.contains("%:");
    if may_have_directives && preprocess::needs_external(text) {
        Preprocessor::Compiler
    } else if may_have_directives && preprocess::has_directives(text) || may_use_predefined_macro(text) {
        Preprocessor::Ours
    } else {
        Preprocessor::None
    }
}

/// Whether a word like `__LINE__`, `__INT_MAX__`, `__ATOMIC_RELAXED` or `__has_attribute` occurs.
fn may_use_predefined_macro(text: &str) -> bool {
    text.split("__").any(|part| {
        let is_word = part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        is_word && !matches!(part, "" | "FUNCTION" | "PRETTY_FUNCTION")
            || part.starts_with("ATOMIC_")
            || part.starts_with("has_")
    })
}

/// Text of a C compiler's preprocessor with one row for each line of the source. Where a macro comes from a system header, gcc
/// puts its text on rows of its own, with a line marker before each, and a place would be ambiguous.
pub fn one_row_per_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The place of the next row; of the last row that is not blank, and where that ends.
    let mut next: (&str, usize) = ("", 0);
    let mut last: Option<(&str, usize, usize)> = None;
    let mut joins = false;
    for row in text.split('\n') {
        if let Some((line, file)) = marker(row) {
            next = (file, line);
            joins = match last {
                Some((known, number, end)) if (known, number) == next => {
                    out.truncate(end);
                    true
                }
                _ => {
                    out.push_str(if joins { "\n" } else { "" });
                    out.push_str(row);
                    out.push('\n');
                    false
                }
            };
            continue;
        }
        if joins && row.trim_start().starts_with('#') {
            // A directive has a row of its own.
            out.push_str(&format!("\n# {} \"{}\"\n", next.1, next.0));
            joins = false;
        }
        out.push_str(if joins { " " } else { "" });
        out.push_str(row);
        joins = false;
        if row.trim_start().starts_with('#') {
            last = None;
        } else if !row.trim().is_empty() {
            last = Some((next.0, next.1, out.len()));
        }
        out.push('\n');
        next.1 += 1;
    }
    out.pop();
    out
}

/// `# 12 "file.c" 2`
fn marker(row: &str) -> Option<(usize, &str)> {
    let rest = row.strip_prefix("# ")?;
    let (line, rest) = rest.split_once(" \"")?;
    Some((line.parse().ok()?, &rest[..rest.find('"')?]))
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
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut state = State::Code;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let in_literal = matches!(state, State::Literal(_));
        let width;
        (state, width) = state.step(byte, next);
        for &byte in bytes[at..].iter().take(width) {
            match in_literal && !byte.is_ascii() {
                true => text.push_str(&format!("\\{byte:03o}")),
                false => text.push(char::from(byte)),
            }
        }
        at += width;
    }
    text
}

/// Where a byte stands.
#[derive(Clone, Copy)]
enum State {
    Code,
    LineComment,
    BlockComment,
    /// Between quotes of this kind.
    Literal(u8),
}

impl State {
    /// The state after a byte, and how many bytes belong to it.
    fn step(self, byte: u8, next: u8) -> (State, usize) {
        match (self, byte, next) {
            (State::Code, b'/', b'*') => (State::BlockComment, 2),
            (State::Code, b'/', b'/') => (State::LineComment, 2),
            (State::Code, b'"' | b'\'', _) => (State::Literal(byte), 1),
            (State::BlockComment, b'*', b'/') => (State::Code, 2),
            // An escape, or a line that goes on.
            (State::LineComment | State::Literal(_), b'\\', _) => (self, 2),
            (State::LineComment | State::Literal(_), b'\n', _) => (State::Code, 1),
            (State::Literal(quote), _, _) if byte == quote => (State::Code, 1),
            _ => (self, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preprocessors() {
        for (text, expected) in [
            ("", Preprocessor::None),
            ("# 1 \"a.c\"\n#pragma once\nint x;\n", Preprocessor::None),
            ("void __attribute__((x)) f(void) { __VERIFIER_error(__FUNCTION__); }\n", Preprocessor::None),
            ("/*\n#include <a.h>\n*/\n", Preprocessor::None),
            ("#define X 1\n", Preprocessor::Ours),
            ("int x = __LINE__;\n", Preprocessor::Ours),
            ("int x = __INT_MAX__;\n", Preprocessor::Ours),
            ("#define X 1\n # include <a.h>\n", Preprocessor::Compiler),
        ] {
            assert_eq!(preprocessor(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_of_one_line_are_joined() {
        let text = "# 1 \"a.c\"\nint f(void) {\n\n# 3 \"a.c\" 3 4\n (\n# 3 \"a.c\"\n x > 0\n# 3 \"a.c\" 3 4\n )\n# 3 \"a.c\"\n ;\n}\n";
        assert_eq!(one_row_per_line(text), "# 1 \"a.c\"\nint f(void) {\n\n# 3 \"a.c\" 3 4\n (  x > 0  )  ;\n}\n");
        let plain = "# 1 \"a.c\"\nint x;\n# 1 \"b.h\" 1\nint y;\n# 2 \"a.c\" 2\nint z;\n";
        assert_eq!(one_row_per_line(plain), plain);
        let pragma = "# 1 \"a.c\"\nf\n# 1 \"a.c\"\n#pragma pack(1)\n# 1 \"a.c\"\ng";
        assert_eq!(one_row_per_line(pragma), pragma);
    }

    #[test]
    fn utf8_is_kept() {
        assert_eq!(decode("/* é */ \"é\"".into()), "/* é */ \"é\"");
    }

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes.to_vec()), expected);
    }

    #[test]
    fn latin1_keeps_columns() {
        check(b"/* \xe9 \" */ x = \xe9; // ' \xe9\nf('\\'', \xe9)", "/* é \" */ x = é; // ' é\nf('\\'', é)");
        check(b"\xff", "ÿ");
        check(b"// \\\n \xe9 \"\n\"", "// \\\n é \"\n\"");
    }

    #[test]
    fn latin1_keeps_the_bytes_of_literals() {
        check(b"\"caf\xe9\\\"\xff\" 'a' \xe9", "\"caf\\351\\\"\\377\" 'a' é");
        check(b"'\xe9' \"\\\n\xe9", "'\\351' \"\\\n\\351");
        check(b"\"\xe9\\", "\"\\351\\");
    }
}
