//! Compilation databases: `compile_commands.json`, which build systems write.

use super::flags::absolute;
use anyhow::{Context as _, Result, bail};
use robusto_bench::words;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// How a file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where the compiler runs.
    pub folder: PathBuf,
    /// The file, absolute.
    pub file: PathBuf,
    /// The compiler's arguments, the compiler first.
    pub words: Vec<String>,
}

/// The C files of a database, each once. The path is the file, or the folder that it is in.
pub fn read(path: &Path) -> Result<Vec<Command>> {
    let file = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
    let shown = file.display();
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read '{shown}'"))?;
    let base = file.parent().unwrap_or(Path::new("")).to_owned();
    let commands = parse(&text, &base).with_context(|| format!("'{shown}' is no compilation database"))?;
    if commands.is_empty() {
        bail!("'{shown}' has no C file");
    }
    Ok(commands)
}

fn parse(text: &str, base: &Path) -> Result<Vec<Command>> {
    let value: Value = serde_json::from_str(text)?;
    let list = value.as_array().context("it is no list")?;
    let mut commands: Vec<Command> = Vec::new();
    for entry in list {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let file = text("file").context("an entry has no `file`")?;
        if !file.ends_with(".c") && !file.ends_with(".i") {
            continue;
        }
        let words = match (entry.get("arguments").and_then(Value::as_array), text("command")) {
            (Some(list), _) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            (None, Some(command)) => words::split(command).with_context(|| format!("a quote is open in: {command}"))?,
            (None, None) => bail!("the entry of '{file}' has neither `command` nor `arguments`"),
        };
        let folder = base.join(text("directory").unwrap_or(""));
        let file = absolute(&folder, Path::new(file));
        if commands.iter().all(|known| known.file != file) {
            commands.push(Command { folder, file, words });
        }
    }
    Ok(commands)
}

/// The first file whose text looks as if it defined a function.
pub fn defining<'c>(commands: &'c [Command], function: &str) -> Option<&'c Command> {
    commands.iter().find(|command| super::read_text(&command.file).is_ok_and(|text| defines(&text, function)))
}

/// Whether a name is followed by parentheses and a body.
fn defines(text: &str, function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(function).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + function.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) || !after.trim_start().starts_with('(') {
            return false;
        }
        let mut depth = 0;
        for (i, c) in after.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ';' if depth > 0 => return false,
                _ => continue,
            }
            if depth == 0 {
                return after[i + 1..].trim_start().starts_with('{');
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let text = r#"[
            {"directory": "/b", "file": "src/a.c", "command": "gcc -DX='a b' -c src/a.c"},
            {"directory": "/b", "file": "src/a.c", "arguments": ["gcc", "again"]},
            {"directory": "/b", "file": "b.cpp", "arguments": ["g++"]},
            {"directory": "sub", "file": "/c.c", "arguments": ["clang", "-I", "x"]}
        ]"#;
        let commands = parse(text, Path::new("/base")).unwrap();
        let expected = [("/b", "/b/src/a.c", 4), ("/base/sub", "/c.c", 3)];
        let found: Vec<_> =
            commands.iter().map(|c| (c.folder.to_str().unwrap(), c.file.to_str().unwrap(), c.words.len())).collect();
        assert_eq!(found, expected);
        assert!(parse("{}", Path::new("")).is_err());
        assert!(parse(r#"[{"file": "a.c"}]"#, Path::new("")).is_err());
    }

    #[test]
    fn definitions_are_found() {
        assert!(defines("static int\nf (int a, int (*g)(void))\n{ return 1; }", "f"));
        assert!(!defines("int f(void); int g(void) { return f(); }", "f"));
        assert!(!defines("int of(void) {}", "f"));
        assert!(defines("int f(void); int f(void) {}", "f"));
    }
}
