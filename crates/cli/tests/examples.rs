//! The examples, by their task files.

mod support;

use std::fs;
use std::path::Path;
use support::Folder;

#[test]
fn every_example_has_its_verdict() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let programs = fs::read_dir(&examples).expect("the examples are there");
    let programs = programs.filter(|file| file.as_ref().is_ok_and(|f| f.path().extension().is_some_and(|e| e == "c")));
    let folder = Folder::new("examples");
    let place = examples.display().to_string();
    folder.run(&["bench", "--timeout", "20s", "-o", "results", &place]).expect(0);
    let results = fs::read_to_string(folder.path("results/results.csv")).expect("there are results");
    assert_eq!(results.matches(",correct,").count(), programs.count(), "{results}");
}
