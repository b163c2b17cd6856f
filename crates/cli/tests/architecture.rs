//! What ARCHITECTURE.md calls invariants, as far as the text of the crates can show it: who depends on whom, who does I/O,
//! what certification shares with the engines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates and what each may use directly, from the bottom up. A new crate needs a line here, which says where it stands.
const LAYERS: &[(&str, &[&str])] = &[
    ("limits", &[]),
    ("ieee", &[]),
    ("verdict", &["limits"]),
    ("syntax", &[]),
    ("cfa", &["ieee", "syntax"]),
    ("interp", &["cfa", "ieee"]),
    ("diagram", &[]),
    ("logic", &["ieee", "limits"]),
    ("domains", &["cfa", "ieee"]),
    ("numpred", &["diagram", "domains", "limits"]),
    ("cpa", &["cfa", "limits"]),
    ("finite", &["cfa", "cpa", "diagram", "limits"]),
    ("analyses", &["cfa", "cpa", "diagram", "domains", "finite", "ieee", "interp", "limits", "logic"]),
    ("image", &["analyses", "cfa", "cpa", "diagram", "domains", "finite", "limits", "logic"]),
    ("boolprog", &["cfa", "diagram", "limits", "logic", "syntax", "verdict"]),
    (
        "engine",
        &[
            "analyses", "boolprog", "cfa", "cpa", "diagram", "domains", "finite", "image", "interp", "limits", "logic",
            "numpred", "verdict",
        ],
    ),
    ("report", &["cfa", "syntax", "verdict"]),
    ("yaml", &[]),
    ("witness", &["cfa", "interp", "syntax", "verdict", "yaml"]),
    ("bench", &["cfa", "yaml"]),
    (
        "cli",
        &[
            "bench", "boolprog", "cfa", "engine", "image", "interp", "limits", "logic", "report", "syntax", "verdict",
            "witness",
        ],
    ),
    // For tests only.
    ("testing", &[]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of crates").to_owned()
}

/// Our own crates that each crate depends on, tests aside.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(crates()).expect("the folder of crates") {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let mut section = "";
        let mut uses = BTreeSet::new();
        for line in manifest.lines() {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
            }
            let counts = section.ends_with("dependencies") && !section.ends_with("dev-dependencies");
            if counts && let Some(rest) = line.strip_prefix("robusto-") {
                uses.insert(rest.split(['.', ' ', '=']).next().unwrap_or(rest).to_owned());
            }
        }
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        all.insert(name, uses);
    }
    all
}

/// Everything that a crate depends on.
fn closure(all: &BTreeMap<String, BTreeSet<String>>, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut todo = vec![name.to_owned()];
    while let Some(next) = todo.pop() {
        for used in all.get(&next).into_iter().flatten() {
            if found.insert(used.clone()) {
                todo.push(used.clone());
            }
        }
    }
    found
}

/// The files of a folder, with their code: neither comments nor tests.
fn code(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).expect("a source file");
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                found.push((path, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    found
}

#[test]
fn a_crate_uses_only_crates_above_it() {
    let all = dependencies();
    let mut above: Vec<&str> = Vec::new();
    for (name, allowed) in LAYERS {
        assert!(allowed.iter().all(|used| above.contains(used)), "the line of `{name}` points down");
        let uses = all.get(*name).unwrap_or_else(|| panic!("there is no crate `{name}`"));
        let wrong: Vec<&String> = uses.iter().filter(|used| !allowed.contains(&used.as_str())).collect();
        assert!(wrong.is_empty(), "`{name}` depends on {wrong:?}");
        above.push(name);
    }
    let missing: Vec<&String> = all.keys().filter(|name| !above.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} stand nowhere");
}

#[test]
fn who_writes_about_verdicts_knows_no_engine() {
    let all = dependencies();
    assert_eq!(closure(&all, "verdict"), BTreeSet::from(["limits".to_owned()]), "a verdict is data");
    for writer in ["report", "witness", "bench"] {
        let uses = closure(&all, writer);
        for engine in ["engine", "boolprog", "analyses", "cpa", "domains", "logic", "diagram"] {
            assert!(!uses.contains(engine), "`{writer}` depends on `{engine}`");
        }
    }
}

#[test]
fn the_solver_knows_no_program_and_no_other_diagrams() {
    assert_eq!(closure(&dependencies(), "logic"), BTreeSet::from(["ieee".to_owned(), "limits".to_owned()]));
}

#[test]
fn only_the_command_line_does_io() {
    const IO: [&str; 10] = [
        "std::fs",
        "std::process",
        "std::env",
        "std::net",
        "println!",
        "print!(",
        "dbg!(",
        "stdin()",
        "stdout()",
        "stderr()",
    ];
    // Tests ask the environment how many cases to run, and tell what they have found.
    for (name, _) in LAYERS.iter().filter(|(name, _)| !["cli", "bench", "testing"].contains(name)) {
        for (path, text) in code(&crates().join(name).join("src")) {
            let found: Vec<&&str> = IO.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{found:?} in {}", path.display());
        }
    }
}

/// The names that follow a path: `crate::` in `use crate::a::{b, c}` and `crate::d` gives a and d.
fn names_after<'t>(text: &'t str, path: &str) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(path) {
        let rest = &text[at + path.len()..];
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                let first = |item: &'t str| item.trim().split(|c| !is_name(c)).next();
                found.extend(list.split(',').filter_map(first).filter(|name| !name.is_empty()));
            }
            None => {
                found.insert(rest.split(|c| !is_name(c)).next().unwrap_or_default());
            }
        }
    }
    found
}

#[test]
fn certification_shares_nothing_with_the_engines() {
    assert_eq!(names_after("use crate::{a, b::c}; crate::d::e", "crate::"), BTreeSet::from(["a", "b", "d"]));
    // Of the analyses' diagrams it takes an order of variables, which no answer depends on.
    // Of slices, it takes the result, and checks that; and whether a program looks at addresses.
    const OWN: [&str; 6] = ["addresses", "certificate", "problem", "property", "slice", "unroll"];
    const OTHERS: [(&str, &[&str]); 4] = [
        ("robusto_analyses::", &["bdd", "facts", "symbolic"]),
        ("bdd::", &["order"]),
        ("robusto_diagram", &[]),
        ("robusto_domains", &[]),
    ];
    for (path, text) in code(&crates().join("engine/src/certify")) {
        let uses = |from: &str, allowed: &[&str]| {
            let wrong: Vec<&str> =
                names_after(&text, from).into_iter().filter(|name| !allowed.contains(name)).collect();
            assert!(wrong.is_empty(), "{} uses {wrong:?} of {from}", path.display());
        };
        uses("crate::", &OWN);
        OTHERS.iter().for_each(|(from, allowed)| uses(from, allowed));
        assert!(!text.contains(".intervals("), "{} asks for bounds", path.display());
    }
}

#[test]
fn one_place_certifies() {
    for name in ["engine", "witness", "cli"] {
        for (path, text) in code(&crates().join(name).join("src")) {
            let is_home = path.ends_with("certify/settle.rs") || path.ends_with("registry/mod.rs");
            assert!(is_home || !text.contains("settle("), "{} certifies", path.display());
        }
    }
}

#[test]
fn only_the_replay_makes_counterexamples() {
    for name in ["analyses", "boolprog", "engine"] {
        for (path, text) in code(&crates().join(name).join("src")) {
            assert!(path.ends_with("replay.rs") || !text.contains("Counterexample {"), "{} makes one", path.display());
        }
    }
}
