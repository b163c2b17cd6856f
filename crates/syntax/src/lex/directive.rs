//! Directives that a preprocessor leaves in its output: line markers and pragmas.

/// A directive that matters.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Directive {
    /// `# 12 "list.h" 3` or `#line 12 "list.h"`.
    Marker {
        /// Number of the following line.
        line: u32,
        /// File of the following line.
        name: Option<String>,
    },
    /// A pragma that changes the layout of structs.
    Layout(Layout),
    /// `#pragma weak name` and `#pragma weak name = target`.
    Weak(String, Option<String>),
    /// `#pragma redefine_extname name symbol`.
    Rename(String, String),
    /// A directive that should have been processed (`#include`, `#define`, …).
    Unknown,
}

/// Greatest line number of a marker; as in GCC. Lines counted from there still fit 32 bits.
const MAX_LINE: u32 = i32::MAX as u32;

/// Reads a directive from its logical line; `None` for one that is skipped (`#pragma`, `#ident`, a lone `#`).
pub(super) fn read(line: &str) -> Option<Directive> {
    let rest = line.trim_start_matches(['#', '%', ':']).trim_start();
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    match word {
        "line" => Some(marker(rest["line".len()..].trim_start())),
        "pragma" => pragma(rest["pragma".len()..].trim()),
        "ident" | "sccs" => None,
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => Some(marker(rest)),
        _ if rest.is_empty() => None,
        _ => Some(Directive::Unknown),
    }
}

/// What a pragma does to the layout of the structs that follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// `pack()` and `pack(n)`
    Set(Option<u32>),
    /// `pack(push)`, `pack(push, n)`, `pack(push, name)` and `pack(push, name, n)`
    Push(Option<String>, Option<u32>),
    /// `pack(pop)` and `pack(pop, name)`
    Pop(Option<String>),
    /// `scalar_storage_order`
    BigEndian(bool),
    /// `ms_struct`
    MsStruct(bool),
}

/// Reads what follows `#pragma`.
fn pragma(text: &str) -> Option<Directive> {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    let rest = text[word.len()..].trim();
    let mut words = rest.split([' ', '\t', '=']).filter(|word| !word.is_empty());
    Some(match word {
        "pack" => Directive::Layout(pack(rest)?),
        "scalar_storage_order" => Directive::Layout(Layout::BigEndian(rest == "big-endian")),
        "ms_struct" => Directive::Layout(Layout::MsStruct(rest == "on")),
        "weak" => Directive::Weak(words.next()?.to_owned(), words.next().map(str::to_owned)),
        "redefine_extname" => Directive::Rename(words.next()?.to_owned(), words.next()?.to_owned()),
        _ => return None,
    })
}

fn pack(rest: &str) -> Option<Layout> {
    let inner = rest.strip_prefix('(')?;
    let words: Vec<&str> = inner.split(')').next()?.split(',').map(str::trim).collect();
    let number = |word: &str| word.parse().ok().filter(|n: &u32| *n == 0 || n.is_power_of_two() && *n <= 16);
    // 0 stands for the default.
    let limit = |word: &str| number(word).map(|n| Some(n).filter(|n| *n > 0));
    let name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| word.to_owned());
    match words[..] {
        [""] => Some(Layout::Set(None)),
        ["push"] => Some(Layout::Push(None, None)),
        ["push", word] => match number(word) {
            Some(n) => Some(Layout::Push(None, Some(n))),
            None => Some(Layout::Push(Some(name(word)?), None)),
        },
        ["push", word, n] => Some(Layout::Push(Some(name(word)?), Some(number(n)?))),
        ["pop"] => Some(Layout::Pop(None)),
        ["pop", word] => Some(Layout::Pop(Some(name(word)?))),
        [word] => limit(word).map(Layout::Set),
        _ => None,
    }
}

fn marker(rest: &str) -> Directive {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Directive::Unknown;
    }
    let line = rest[..digits].parse().unwrap_or(MAX_LINE).min(MAX_LINE);
    Directive::Marker { line, name: file_name(rest[digits..].trim_start()) }
}

/// The file name between quotes, its escapes undone.
fn file_name(rest: &str) -> Option<String> {
    let mut chars = rest.strip_prefix('"')?.chars();
    let mut name = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(name),
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Directive>) {
        assert_eq!(read(line), expected, "{line}");
    }

    fn marker(line: u32, name: &str) -> Option<Directive> {
        Some(Directive::Marker { line, name: Some(name.to_owned()) })
    }

    #[test]
    fn markers() {
        check("# 12 \"list.h\" 3", marker(12, "list.h"));
        check("#line 7 \"a b.c\"", marker(7, "a b.c"));
        check("#line 7", Some(Directive::Marker { line: 7, name: None }));
        check(r#"# 1 "C:\\x\"y.c""#, marker(1, "C:\\x\"y.c"));
        check("# 99999999999999 \"f\"", marker(MAX_LINE, "f"));
    }

    #[test]
    fn others() {
        check("#pragma once", None);
        check("#pragma pack(push, 2)", Some(Directive::Layout(Layout::Push(None, Some(2)))));
        check("#pragma pack (pop)", Some(Directive::Layout(Layout::Pop(None))));
        check("#pragma pack(1)", Some(Directive::Layout(Layout::Set(Some(1)))));
        check("#pragma pack()", Some(Directive::Layout(Layout::Set(None))));
        check("#pragma pack(3)", None);
        check("#pragma weak f", Some(Directive::Weak("f".into(), None)));
        check("#pragma weak f=g", Some(Directive::Weak("f".into(), Some("g".into()))));
        check("#pragma redefine_extname f g", Some(Directive::Rename("f".into(), "g".into())));
        check("#pragma weak", None);
        check("#pragma pack(0)", Some(Directive::Layout(Layout::Set(None))));
        check("#pragma pack(push, a, 4)", Some(Directive::Layout(Layout::Push(Some("a".into()), Some(4)))));
        check("#pragma pack(pop, a)", Some(Directive::Layout(Layout::Pop(Some("a".into())))));
        check("#pragma scalar_storage_order big-endian", Some(Directive::Layout(Layout::BigEndian(true))));
        check("#pragma scalar_storage_order default", Some(Directive::Layout(Layout::BigEndian(false))));
        check("#ident \"x\"", None);
        check("#", None);
        check("%: 3 \"f\"", marker(3, "f"));
        check("#include <stdio.h>", Some(Directive::Unknown));
        check("#line x", Some(Directive::Unknown));
    }
}
