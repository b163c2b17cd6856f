//! The HTML and XML reports are well-formed whatever tools and tasks are called.
#![cfg(target_os = "linux")]

mod support;

use robusto_bench::grid::Grid;
use robusto_bench::report;
use std::collections::HashSet;
use support::{Folder, column, settings, tool};

/// Fails unless each element that is opened is closed, in order. Scripts and styles are skipped.
fn check_well_formed(text: &str) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a lone > in {:?}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['!', '?']) {
            continue;
        }
        count += 1;
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "a broken tag: {tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "after {count} tags");
        } else if !tag.ends_with('/') {
            let name = tag.split([' ', '\n']).next().unwrap();
            open.push(name);
            if name == "script" || name == "style" {
                rest = &rest[rest.find(&format!("</{name}>")).expect("it is closed")..];
            }
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    count
}

#[test]
fn reports() {
    let folder = Folder::new("page_reports");
    folder.task("a&b/true<x>", true).task("a&b/false\"'", true).task("locks/rejected", true).task("locks/true", true);
    folder.run(&[column("bdd", &tool()), column("impact", &tool())], &settings(), &HashSet::new());
    let results = folder.results();
    let grid = Grid::of(&results);
    let files = report::write_all(&folder.0, &results, &grid).unwrap();
    assert_eq!(files.len(), 5);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let page = read("results.html");
    assert!(check_well_formed(&page) > 200);
    for part in
        ["1 wrong answer", "a&amp;b", "true&lt;x&gt;", "not available", "&lt;no&gt; &quot;C&quot;, sorry", "<svg"]
    {
        assert!(page.contains(part), "{part} is not in the page");
    }
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "the page needs {outside}");
    }
    let xml = read("results.bdd.xml");
    assert!(check_well_formed(&xml) > 20);
    assert!(xml.contains("<column title='category' value='wrong'/>"), "{xml}");
    assert!(read("results.csv").lines().count() == 9);
    assert!(read("results.json").contains("\"robusto-bench 1\""));
}

#[test]
fn empty_reports() {
    let folder = Folder::new("page_empty");
    folder.write("results.jsonl", "");
    let results = folder.results();
    report::write_all(&folder.0, &results, &Grid::of(&results)).unwrap();
    check_well_formed(&std::fs::read_to_string(folder.path("results.html")).unwrap());
}
