//! What compilers are told about a file: folders, macros, the standard, the machine.

use robusto_cfa::ir::DataModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Flags for one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// For the compiler as a preprocessor, in order.
    pub words: Vec<OsString>,
    /// Macros, `NAME` or `NAME=VALUE`, that are defined in the end.
    pub defines: Vec<String>,
    /// Whether there is more than macros and folders for headers, so that only a compiler can preprocess.
    pub special: bool,
    /// The machine that is meant.
    pub model: Option<DataModel>,
}

/// Flags with a value that is a path, in the next word or in the same.
const PATHS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot", "-I"];

/// Flags that change what a program means in ways that are not modelled.
const OTHER_MEANING: [&str; 9] = [
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-freg-struct-return",
    "-mms-bitfields",
    "-mx32",
    "-m16",
];

/// Flags whose next word is a value that is of no interest here.
const SKIPPED: [&str; 12] =
    ["-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-Xassembler", "-T", "-u", "-z", "-L", "--param"];

impl Flags {
    /// Adds words of a compiler's command line; those that have nothing to do with the meaning of the program are left out,
    /// and so are the files. Paths are relative to a folder.
    pub fn add(&mut self, words: &[String], folder: &Path) -> Result<(), String> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if OTHER_MEANING.contains(&word.as_str()) || word.starts_with("-fpack-struct=") {
                return Err(format!("{word} is not supported: it changes what the program means"));
            }
            let valued = PATHS.iter().chain(&["-D", "-U"]).find(|flag| word.starts_with(**flag));
            if let Some(flag) = valued {
                let inline = word[flag.len()..].strip_prefix('=').unwrap_or(&word[flag.len()..]);
                let value = if inline.is_empty() { words.next().map_or("", String::as_str) } else { inline };
                match *flag {
                    "-D" => self.define(value),
                    "-U" => self.undefine(value),
                    flag => self.path(flag, &folder.join(value)),
                }
            } else if SKIPPED.contains(&word.as_str()) {
                words.next();
            } else if word == "-m32" || word == "-m64" {
                self.model = Some(if word == "-m32" { DataModel::Ilp32 } else { DataModel::Lp64 });
            } else if word.starts_with("-std=") || word.starts_with("-m") || is_plain_flag(word) {
                self.special = true;
                self.words.push(word.into());
            }
        }
        Ok(())
    }

    /// Defines a macro.
    pub fn define(&mut self, macro_: &str) {
        self.defines.push(macro_.to_owned());
        self.words.push("-D".into());
        self.words.push(macro_.into());
    }

    fn undefine(&mut self, name: &str) {
        self.defines.retain(|known| known.split(['=', '(']).next() != Some(name));
        self.special = true;
        self.words.push("-U".into());
        self.words.push(name.into());
    }

    /// A folder or a file.
    pub fn path(&mut self, flag: &str, path: &Path) {
        self.special |= flag != "-I";
        self.words.push(flag.into());
        self.words.push(path.as_os_str().to_owned());
    }
}

fn is_plain_flag(word: &str) -> bool {
    matches!(
        word,
        "-ansi"
            | "-nostdinc"
            | "-pthread"
            | "-fopenmp"
            | "-undef"
            | "-ffreestanding"
            | "-fms-extensions"
            | "-traditional-cpp"
    )
}

/// The command line with the options that compilers spell with one dash in the spelling with two, and macros that are undefined
/// later left out. What comes first is the program's name.
pub fn respell(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const LONG: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-std"];
    let mut out: Vec<OsString> = Vec::new();
    let mut ended = false;
    for word in args {
        let text = word.to_str().unwrap_or("");
        ended |= text == "--";
        let long = LONG.iter().find(|flag| {
            text.strip_prefix(**flag).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '/', '.']))
        });
        match long {
            Some(flag) if !ended => {
                let rest = &text[flag.len()..];
                let joint = if rest.is_empty() || rest.starts_with('=') { "" } else { "=" };
                out.push(format!("-{flag}{joint}{rest}").into());
            }
            _ => out.push(word),
        }
    }
    out
}

/// A path as a compilation database may spell it: absolute, without `.` and `..`.
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let joined = folder.join(path);
    joined.canonicalize().unwrap_or(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> Flags {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let mut flags = Flags::default();
        flags.add(&words, Path::new("/b")).unwrap();
        flags
    }

    #[test]
    fn flags_that_matter_are_kept() {
        let found =
            flags("-O2 -Wall -c -o x.o -I../inc -isystem /usr/i -DA -D B=2 -UA -std=c99 -MF d -include c.h -m32 a.c");
        let expected = [
            "-I",
            "/b/../inc",
            "-isystem",
            "/usr/i",
            "-D",
            "A",
            "-D",
            "B=2",
            "-U",
            "A",
            "-std=c99",
            "-include",
            "/b/c.h",
        ];
        assert_eq!(found.words, expected.map(OsString::from));
        assert_eq!(found.defines, ["B=2"]);
        assert_eq!(found.model, Some(DataModel::Ilp32));
        assert!(found.special);
        assert!(!flags("-DX -Ifoo -g").special);
    }

    #[test]
    fn flags_with_another_meaning_are_refused() {
        let mut flags = Flags::default();
        assert!(flags.add(&["-funsigned-char".to_owned()], Path::new("")).is_err());
    }

    #[test]
    fn compilers_spelling() {
        let given = [
            "robusto",
            "check",
            "-std=c11",
            "-isystem",
            "dir",
            "-include",
            "a.h",
            "-isystem/usr/x",
            "-I",
            "y",
            "--",
            "-std=z",
        ];
        let expected = [
            "robusto",
            "check",
            "--std=c11",
            "--isystem",
            "dir",
            "--include",
            "a.h",
            "--isystem=/usr/x",
            "-I",
            "y",
            "--",
            "-std=z",
        ];
        assert_eq!(respell(given.map(OsString::from).into_iter()), expected.map(OsString::from));
    }
}
