//! Parentheses and semicolons, for what the syntax tree does not keep.

use std::ops::Range;

/// What stands between the parenthesis that comes next and its partner.
pub(crate) fn parenthesised(text: &str, from: usize) -> Option<Range<usize>> {
    let mut tokens = Tokens { text, at: from };
    let (b'(', open) = tokens.next()? else { return None };
    let mut depth = 1;
    for (byte, at) in tokens {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + 1..at);
        }
    }
    None
}

/// The two semicolons of a `for`.
pub(crate) fn semicolons(text: &str, inside: Range<usize>) -> Option<[usize; 2]> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (byte, at) in (Tokens { text: &text[..inside.end], at: inside.start }) {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b';' if depth == 0 => found.push(at),
            _ => {}
        }
    }
    found.try_into().ok()
}

/// Bytes outside of space, comments, strings and characters.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (u8, usize);

    fn next(&mut self) -> Option<(u8, usize)> {
        let bytes = self.text.as_bytes();
        loop {
            let at = self.at;
            let byte = *bytes.get(at)?;
            let rest = &self.text.as_bytes()[at..];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                self.at += rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 4);
            } else if byte == b'"' || byte == b'\'' {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != byte {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                self.at = end + 1;
                return Some((byte, at));
            } else {
                self.at += 1;
                return Some((byte, at));
            }
        }
    }
}
