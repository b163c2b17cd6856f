//! The registry of library functions: what each function of the ISO C and POSIX headers means here.
//!
//! One row gives names of one header that are treated alike. A name may carry the least number of arguments
//! (`error/3`): a program that declares an `error` of its own with fewer means another function. Names that only the
//! compiler's headers produce (`__isoc99_scanf`, `__memcpy_chk`) stand beside the functions that they mean.

use super::{gnu, iso, math, posix, system, threads, verifiers};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a library function means.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The header that declares it.
    pub header: &'static str,
    /// How well it is modelled.
    pub treatment: Treatment,
    /// Where it is modelled.
    pub by: By,
    /// What the treatment leaves out or takes for granted; may be empty.
    pub note: &'static str,
    /// Calls with fewer arguments mean another function.
    pub arity: usize,
}

/// How well a function is modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// It does and returns what the standard says.
    Exact,
    /// What it does in reality is among what it may do here.
    Over,
    /// A call that is reached makes the verdict unknown.
    Unsupported,
}

impl Treatment {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Treatment::Exact => "exact",
            Treatment::Over => "over",
            Treatment::Unsupported => "unsupported",
        }
    }
}

/// Where a function is modelled.
#[derive(Clone, Copy, Debug)]
pub enum By {
    /// The lowering itself gives it a meaning.
    Lowering,
    /// C text.
    Model {
        /// The file in the folder of models.
        file: &'static str,
        /// Its text.
        text: &'static str,
    },
    /// The interpreter executes it; engines take any result.
    Interpreter,
    /// It writes through these arguments and returns one of these values.
    Effects(&'static [Write], Give),
    /// Another function with the arguments at these positions, and all from the last number on.
    Same(&'static str, &'static [u8], u8),
    /// What it does is open, as with functions without a body that are in no header.
    Outside,
    /// Nothing is known of it.
    Nothing,
}

/// A write through a pointer argument; a null pointer is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// What the argument at this position points to, as large as its type says.
    Pointee(u8),
    /// As many bytes at the first argument as the second says.
    Bytes(u8, u8),
    /// The same, and the last byte is zero.
    Text(u8, u8),
    /// A pointee whose members that are arrays of characters are texts: they end there.
    Record(u8),
}

/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Give {
    /// Any value of its type; listed as an assumption.
    Any,
    /// A value that is defined but not computed; listed as an assumption.
    Unknown,
    /// 0
    Zero,
    /// 0 or -1
    Status,
    /// -1 or more
    Count,
    /// 0 or more
    Natural,
    /// 0 or 1
    Bit,
    /// -1, or 0 to the argument at this position.
    UpTo(u8),
    /// 0 to the argument at this position.
    AtMost(u8),
    /// -1 or the argument at this position.
    ArgumentOr(u8),
    /// A null pointer or an object of the library with any content, which further calls may change.
    Entry,
    /// The argument at this position.
    Argument(u8),
}

/// Names that are treated alike.
pub(super) struct Row {
    pub header: &'static str,
    pub treatment: Treatment,
    pub by: By,
    pub note: &'static str,
    pub names: &'static str,
}

/// A row whose functions are modelled in C.
macro_rules! model {
    ($file:literal) => {
        $crate::lower::library::table::By::Model { file: $file, text: include_str!(concat!("../../../models/", $file)) }
    };
}
pub(super) use model;

pub(super) const fn exact(header: &'static str, by: By, names: &'static str) -> Row {
    Row { header, treatment: Treatment::Exact, by, note: "", names }
}

pub(super) const fn over(header: &'static str, by: By, note: &'static str, names: &'static str) -> Row {
    Row { header, treatment: Treatment::Over, by, note, names }
}

pub(super) const fn unsupported(header: &'static str, note: &'static str, names: &'static str) -> Row {
    Row { header, treatment: Treatment::Unsupported, by: By::Nothing, note, names }
}

/// A function of the same meaning as another one, with all its arguments.
pub(super) const fn same(header: &'static str, treatment: Treatment, name: &'static str, names: &'static str) -> Row {
    Row { header, treatment, by: By::Same(name, &[], 0), note: "", names }
}

/// A fortified form: the other function, with the arguments at these positions and all from `rest` on.
pub(super) const fn fortified(
    treatment: Treatment,
    name: &'static str,
    positions: &'static [u8],
    rest: u8,
    names: &'static str,
) -> Row {
    Row { header: "fortified headers", treatment, by: By::Same(name, positions, rest), note: "", names }
}

/// No further arguments.
pub(super) const NONE: u8 = u8::MAX;

struct Table {
    entries: Vec<Entry>,
    by_name: FxHashMap<&'static str, u32>,
}

/// Built at the first call of a function that the program does not define: some 40 µs.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { entries: Vec::with_capacity(2000), by_name: FxHashMap::default() };
    table.by_name.reserve(2000);
    for rows in [iso::ROWS, math::ROWS, posix::ROWS, threads::ROWS, system::ROWS, gnu::ROWS, verifiers::ROWS] {
        for row in rows {
            for name in row.names.split_ascii_whitespace() {
                let (name, arity) = match name.split_once('/') {
                    Some((name, arity)) => (name, arity.parse().unwrap_or(0)),
                    None => (name, 0),
                };
                let Row { header, treatment, by, note, .. } = *row;
                let index = table.entries.len() as u32;
                table.by_name.entry(name).or_insert(index);
                table.entries.push(Entry { name, header, treatment, by, note, arity });
            }
        }
    }
    table
});

/// All functions of the table, by header.
pub fn entries() -> &'static [Entry] {
    &TABLE.entries
}

/// What a library function means; `None` for a function of no known header.
pub fn entry(name: &str) -> Option<&'static Entry> {
    let table = &*TABLE;
    table.by_name.get(name).map(|&index| &table.entries[index as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_once() {
        for (i, entry) in entries().iter().enumerate() {
            assert_eq!(TABLE.by_name[entry.name] as usize, i, "{} stands twice", entry.name);
        }
    }

    #[test]
    fn what_is_the_same_as_another_function_finds_it() {
        for entry in entries() {
            if let By::Same(name, ..) = entry.by {
                let other = super::entry(name).unwrap_or_else(|| panic!("{name} is not in the table"));
                assert_eq!(other.treatment, entry.treatment, "{} and {name}", entry.name);
            }
        }
    }

    #[test]
    fn models_define_their_functions() {
        for entry in entries() {
            if let By::Model { text, file } = entry.by {
                let plain = format!("{}(", entry.name);
                let found =
                    text.match_indices(&plain).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()));
                assert!(found, "{} is not in {file}", entry.name);
            }
        }
    }

    /// Every model is C that we accept, under both data models, also beside all others.
    #[test]
    fn models_compile() {
        let names: Vec<&str> = entries()
            .iter()
            .filter(|entry| matches!(entry.by, By::Model { .. }) && !entry.name.starts_with("__builtin_"))
            .map(|entry| entry.name)
            .collect();
        let mut text = String::new();
        for name in &names {
            text += &format!("void {name}();\n");
        }
        text += "int main(void) { void (*volatile f)();\n";
        for name in &names {
            text += &format!("f = {name};\n");
        }
        text += "return 0; }\n";
        for model in [crate::ir::DataModel::Ilp32, crate::ir::DataModel::Lp64] {
            let mut sources = robusto_syntax::SourceMap::new();
            let file = sources.add("models.c", text.clone()).expect("it is short");
            let compiled = crate::compile(&mut sources, &[file], crate::Options::new(model));
            assert!(compiled.is_ok(), "{:?}", compiled.err());
        }
    }
}
