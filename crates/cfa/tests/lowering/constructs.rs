//! Each construct of C and the automata that the lowering makes of it, as text: `constructs/*.c` with the text beside it.
//!
//! The first lines of a program say in words what there is to see. A line `// checks: overflow scopes` asks for error edges of
//! undefined arithmetic and for marks where blocks end. The text is that of `robusto cfa` without the names of files.
//!
//! `ROBUSTO_BLESS=1 cargo test -p robusto-cfa --test lowering` writes the texts anew; read the difference before it is committed.

use crate::compile_with;
use robusto_cfa::ir::DataModel;
use robusto_cfa::text::print;
use robusto_cfa::{Checks, Options};
use std::fs;
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering/constructs");
    let files = fs::read_dir(folder).expect("the folder is there").map(|file| file.expect("a file").path());
    let mut programs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    programs
}

fn checks(text: &str) -> Checks {
    let asked = text.lines().find_map(|line| line.strip_prefix("// checks:")).unwrap_or("");
    asked.split_whitespace().fold(Checks::NONE, |checks, word| match word {
        "overflow" => Checks { overflow: true, ..checks },
        "div-by-zero" => Checks { div_by_zero: true, ..checks },
        "bad-shift" => Checks { shift: true, ..checks },
        "scopes" => Checks { scopes: true, ..checks },
        _ => panic!("there is no check `{word}`"),
    })
}

/// The text form without its head, which names the files.
fn automata(text: &str) -> String {
    let program = compile_with(text, Options { checks: checks(text), ..Options::new(DataModel::Lp64) });
    let head = |line: &&str| ["program ", "main ", "file "].iter().any(|word| line.starts_with(word));
    let printed = print(&program);
    let lines: Vec<&str> = printed.lines().skip_while(head).collect();
    format!("{}\n", lines.join("\n").trim())
}

#[test]
fn every_construct_becomes_the_automata_beside_it() {
    let bless = std::env::var_os("ROBUSTO_BLESS").is_some();
    let programs = programs();
    assert!(programs.len() >= 25, "only {} programs", programs.len());
    let mut differing = Vec::new();
    for path in programs {
        let found = automata(&fs::read_to_string(&path).expect("the program can be read"));
        let beside = path.with_extension("cfa");
        if bless {
            fs::write(beside, found).expect("the text can be written");
            continue;
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
            let line = line.unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
            let (new, old) = (found.lines().nth(line), expected.lines().nth(line));
            differing.push(format!("{}:{}\n  is  {new:?}\n  was {old:?}", beside.display(), line + 1));
        }
    }
    assert!(differing.is_empty(), "with ROBUSTO_BLESS=1 they are written anew:\n{}", differing.join("\n"));
}
