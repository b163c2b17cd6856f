//! Character constants and string literals.

use crate::ast::Encoding;
use crate::lex::scan::splice;

/// Whether the bytes are an encoding prefix.
pub(crate) fn is_prefix(bytes: &[u8]) -> bool {
    matches!(bytes, b"L" | b"u" | b"U" | b"u8")
}

/// Encoding of a literal with quotes, and its text between the quotes.
pub fn split(raw: &str) -> (Encoding, &str) {
    let quote = raw.find(['"', '\'']).unwrap_or(0);
    let encoding = match &raw[..quote] {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        _ => Encoding::Plain,
    };
    (encoding, raw.get(quote + 1..raw.len() - 1).unwrap_or(""))
}

/// Appends the code units of a string literal's text to `out`. The error is the message for the user.
pub fn string(body: &str, encoding: Encoding, out: &mut Vec<u32>) -> Result<(), String> {
    each_unit(body, |unit| match (unit, encoding) {
        (Unit::Code(code), Encoding::Plain) => out.push(code & 0xFF),
        (Unit::Code(code), Encoding::Utf16) => out.push(code & 0xFFFF),
        (Unit::Code(code), Encoding::Wide | Encoding::Utf32) => out.push(code),
        (Unit::Char(c), Encoding::Plain) => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        (Unit::Char(c), Encoding::Utf16) => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        (Unit::Char(c), Encoding::Wide | Encoding::Utf32) => out.push(u32::from(c)),
    })
}

/// Value of a character constant's text, as GCC computes it: the bytes of `'ab'` are shifted into an `int`, a single
/// byte is a signed `char`, and of several wide characters the last one counts.
pub fn character(body: &str, encoding: Encoding) -> Result<i32, String> {
    let mut units = Vec::new();
    string(body, encoding, &mut units)?;
    match (units.as_slice(), encoding) {
        ([], _) => Err("empty character constant".to_owned()),
        (&[byte], Encoding::Plain) => Ok(i32::from(byte as u8 as i8)),
        (bytes, Encoding::Plain) => Ok(bytes.iter().fold(0, |value, byte| value << 8 | byte) as i32),
        (wide, _) => Ok(wide.last().map_or(0, |&unit| unit as i32)),
    }
}

/// An element of a literal.
enum Unit {
    /// A numeric escape: a code unit as it is.
    Code(u32),
    /// A character, to be encoded.
    Char(char),
}

fn each_unit(body: &str, mut emit: impl FnMut(Unit)) -> Result<(), String> {
    let mut at = 0;
    loop {
        at += splice(body.as_bytes(), at);
        let Some(c) = body[at..].chars().next() else { return Ok(()) };
        at += c.len_utf8();
        if c != '\\' {
            emit(Unit::Char(c));
            continue;
        }
        at += splice(body.as_bytes(), at);
        let (unit, length) = escape(&body[at..])?;
        emit(unit);
        at += length;
    }
}

/// The escape sequence whose text after the backslash begins `rest`, with its length.
fn escape(rest: &str) -> Result<(Unit, usize), String> {
    let Some(c) = rest.chars().next() else { return Err("escape sequence without a character".to_owned()) };
    let code = match c {
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        'e' | 'E' => 27,
        '0'..='7' => return Ok(digits(rest, 0, 8, 3)),
        'x' => {
            let (unit, length) = digits(rest, 1, 16, usize::MAX);
            return if length == 1 { Err("`\\x` without hexadecimal digits".to_owned()) } else { Ok((unit, length)) };
        }
        'u' | 'U' => {
            let found = universal(rest).map(|(c, length)| (Unit::Char(c), length));
            return found.ok_or_else(|| format!("`\\{c}` without a valid universal character name"));
        }
        // `\"`, `\\`, … and, as in GCC, any other character stands for itself.
        _ => return Ok((Unit::Char(c), c.len_utf8())),
    };
    Ok((Unit::Code(code), 1))
}

/// At most `max` digits after the first `skip` bytes; with the length up to there.
fn digits(rest: &str, skip: usize, radix: u32, max: usize) -> (Unit, usize) {
    let digits = rest[skip..].chars().map_while(|c| c.to_digit(radix)).take(max);
    let (code, count) =
        digits.fold((0u32, 0), |(code, count), d| (code.wrapping_mul(radix).wrapping_add(d), count + 1));
    (Unit::Code(code), skip + count)
}

/// The character that `u00E9` or `U000000E9` names, with the length of that text.
pub(crate) fn universal(rest: &str) -> Option<(char, usize)> {
    let count = match rest.bytes().next()? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let digits = rest.get(1..=count).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((c, count + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: &[u32]) {
        let (encoding, body) = split(raw);
        let mut units = Vec::new();
        assert_eq!(string(body, encoding, &mut units), Ok(()), "{raw}");
        assert_eq!(units, expected, "{raw}");
    }

    fn value(raw: &str, expected: i32) {
        let (encoding, body) = split(raw);
        assert_eq!(character(body, encoding), Ok(expected), "{raw}");
    }

    #[test]
    fn strings() {
        check(r#""ab\n""#, &[97, 98, 10]);
        check(r#""\x41\101\0""#, &[65, 65, 0]);
        check(r#""\1234""#, &[0o123, u32::from(b'4')]);
        check("\"é\"", &[0xC3, 0xA9]);
        check("L\"é\"", &[0xE9]);
        check("u\"\u{1F600}\"", &[0xD83D, 0xDE00]);
        check(r#"U"\U0001F600""#, &[0x1F600]);
        check(r#"u8"\u00e9""#, &[0xC3, 0xA9]);
        check("\"a\\\nb\"", &[97, 98]);
        check(r#""\e\q\"""#, &[27, u32::from(b'q'), u32::from(b'"')]);
    }

    #[test]
    fn characters() {
        value("'a'", 97);
        value(r"'\xff'", -1);
        value(r"'\377'", -1);
        value("'ab'", 0x6162);
        value("'abcd'", 0x6162_6364);
        value("'abcde'", 0x6263_6465);
        value(r"'\xff\xff'", 0xFFFF);
        value("'é'", 0xC3A9);
        value("L'é'", 0xE9);
        value(r"u'\xffff'", 0xFFFF);
        value("L'ab'", 98);
        value(r"L'\xffffffff'", -1);
        value(r"'\''", 39);
    }

    #[test]
    fn errors() {
        assert_eq!(character("", Encoding::Plain), Err("empty character constant".to_owned()));
        assert_eq!(character("\\x", Encoding::Plain), Err("`\\x` without hexadecimal digits".to_owned()));
        assert!(character("\\ud800", Encoding::Plain).is_err());
        assert!(character("\\", Encoding::Plain).is_err());
    }
}
