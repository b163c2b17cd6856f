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
    /// `#pragma pack(…)`.
    Pack(Pack),
    /// `#pragma weak name` and `#pragma weak name = target`.
    Weak(String, Option<String>),
    /// `#pragma redefine_extname name symbol`.
    Rename(String, String),
    /// `#pragma scalar_storage_order …`.
    StorageOrder {
        /// Whether it says `big-endian`.
        big_endian: bool,
    },
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
        "pragma" => pragma(rest["pragma".len()..].trim_start()),
        "ident" | "sccs" => None,
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => Some(marker(rest)),
        _ if rest.is_empty() => None,
        _ => Some(Directive::Unknown),
    }
}

fn pragma(rest: &str) -> Option<Directive> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (word, operands) = rest.split_at(end);
    let mut words = operands.split([' ', '\t', '=']).filter(|word| !word.is_empty());
    match word {
        "pack" => pack(rest).map(Directive::Pack),
        "weak" => Some(Directive::Weak(words.next()?.to_owned(), words.next().map(str::to_owned))),
        "redefine_extname" => Some(Directive::Rename(words.next()?.to_owned(), words.next()?.to_owned())),
        "scalar_storage_order" => Some(Directive::StorageOrder { big_endian: words.next()? == "big-endian" }),
        _ => None,
    }
}

/// What `#pragma pack` does to the greatest alignment of members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pack {
    /// `pack()` and `pack(n)`
    Set(Option<u32>),
    /// `pack(push)` and `pack(push, n)`
    Push(Option<u32>),
    /// `pack(pop)`
    Pop,
}

fn pack(rest: &str) -> Option<Pack> {
    let inner = rest.strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    let mut words = inner.split(')').next()?.split(',').map(str::trim);
    let number = |word: &str| word.parse().ok().filter(|n: &u32| n.is_power_of_two() && *n <= 16);
    match words.next()? {
        "push" => Some(Pack::Push(words.next_back().and_then(number))),
        "pop" => Some(Pack::Pop),
        "" => Some(Pack::Set(None)),
        word => number(word).map(|n| Pack::Set(Some(n))),
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
        check("#pragma pack(push, 2)", Some(Directive::Pack(Pack::Push(Some(2)))));
        check("#pragma pack (pop)", Some(Directive::Pack(Pack::Pop)));
        check("#pragma pack(1)", Some(Directive::Pack(Pack::Set(Some(1)))));
        check("#pragma pack()", Some(Directive::Pack(Pack::Set(None))));
        check("#pragma pack(3)", None);
        check("#pragma weak f", Some(Directive::Weak("f".into(), None)));
        check("#pragma weak f=g", Some(Directive::Weak("f".into(), Some("g".into()))));
        check("#pragma redefine_extname f g", Some(Directive::Rename("f".into(), "g".into())));
        check("#pragma weak", None);
        check("#ident \"x\"", None);
        check("#", None);
        check("%: 3 \"f\"", marker(3, "f"));
        check("#include <stdio.h>", Some(Directive::Unknown));
        check("#line x", Some(Directive::Unknown));
    }
}
