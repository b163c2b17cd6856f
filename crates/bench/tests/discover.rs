//! Files, folders, globs and lists.

mod support;

use robusto_bench::discover::{self, Filter, Found, Language};
use support::Folder;

fn corpus(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.task("locks/a10", true).task("locks/a9", false).task("loops/b", true).task("ldv-linux-3.0/c", true);
    folder.write("loops/other.yml", "- entry_type: invariant_set\n");
    folder.write("loops/termination.yml", "input_files: a.c\nproperties: [{property_file: termination.prp}]\n");
    folder.write(
        "boolean/x.yml",
        "input_files: a.bp\nproperties: [{property_file: p/unreach-call.prp}]\noptions: {language: BP}\n",
    );
    folder.write("loops/plain.c", "int main(void) { return 0; }\n");
    folder.write("two.set", "# comment\n\nloops/*.yml\nlocks/a9.yml\n");
    folder
}

fn find(folder: &Folder, places: &[&str], change: impl Fn(&mut Filter)) -> Result<Found, String> {
    let mut filter = Filter::new("unreach-call");
    change(&mut filter);
    let places: Vec<_> = places.iter().map(|place| folder.path(place).display().to_string()).collect();
    discover::discover(&places, &filter)
}

fn names(found: Result<Found, String>) -> Vec<String> {
    found.expect("there are tasks").tasks.into_iter().map(|task| task.name).collect()
}

#[test]
fn folders() {
    let folder = corpus("discover_folders");
    let found = find(&folder, &["", "locks/a9.yml"], |_| ()).unwrap();
    assert_eq!((found.without_property, found.other_language, found.skipped.len()), (1, 1, 1));
    let expected = ["ldv-linux-3.0/c.yml", "locks/a9.yml", "locks/a10.yml", "loops/b.yml"];
    let names: Vec<_> = found.tasks.iter().map(|task| &task.name[..]).collect();
    assert_eq!(names, expected);
    let models: Vec<_> = found.tasks.iter().map(|task| task.model.unwrap().to_string()).collect();
    assert_eq!(models, ["LP64", "ILP32", "ILP32", "ILP32"]);
    assert_eq!(found.tasks[1].expected.verdict, Some(false));
    assert_eq!(found.tasks[1].family, "locks");
    assert!(found.tasks[1].inputs[0].ends_with("locks/a.c"));
}

#[test]
fn files_globs_and_lists() {
    let folder = corpus("discover_files");
    assert_eq!(names(find(&folder, &["locks/*.yml"], |_| ())), ["locks/a9.yml", "locks/a10.yml"]);
    assert_eq!(names(find(&folder, &["l[od]*"], |_| ())).len(), 4);
    assert_eq!(names(find(&folder, &["two.set"], |_| ())), ["locks/a9.yml", "loops/b.yml"]);
    let plain = find(&folder, &["loops/plain.c"], |_| ()).unwrap();
    assert_eq!((&plain.tasks[0].name[..], plain.tasks[0].expected.verdict), ("loops/plain.c", None));
    assert!(find(&folder, &["absent.yml"], |_| ()).unwrap_err().contains("there is no file"));
    assert!(find(&folder, &["loops/other.yml"], |_| ()).unwrap_err().contains("input_files"));
    folder.write("bad.set", "absent/*.yml\n");
    assert!(find(&folder, &["bad.set"], |_| ()).unwrap_err().contains("bad.set"));
}

#[test]
fn filters() {
    let folder = corpus("discover_filters");
    let pattern = |text: &str| discover::pattern(text).unwrap();
    assert!(discover::pattern("[").is_err());
    let family = |text: &str| names(find(&folder, &[""], |f| f.families = vec![pattern(text)]));
    assert_eq!(family("loops"), ["loops/b.yml"]);
    assert_eq!(family("lo*").len(), 3);
    for text in ["a9", "a9.yml", "locks/a9", "locks/a9.yml", "*9"] {
        assert_eq!(names(find(&folder, &[""], |f| f.names = vec![pattern(text)])), ["locks/a9.yml"], "{text}");
    }
    assert_eq!(names(find(&folder, &[""], |f| f.language = "BP".to_owned())), ["boolean/x.yml"]);
    for property in ["termination", "properties/termination.prp"] {
        assert_eq!(names(find(&folder, &[""], |f| f.property = property.to_owned())), ["loops/termination.yml"]);
    }
}

#[test]
fn ambiguous_names_grow() {
    let folder = Folder::new("discover_names");
    folder.task("one/x/a", true).task("two/x/a", true).task("two/x/b", true);
    assert_eq!(names(find(&folder, &[""], |_| ())), ["one/x/a.yml", "two/x/a.yml", "x/b.yml"]);
}

#[test]
fn boolean_programs() {
    let folder = Folder::new("discover_boolean");
    let task = |property: &str, options: &str| {
        format!(
            "input_files: a.bp\nproperties: [{{property_file: ../p/{property}.prp, expected_verdict: false}}]\n\
             options: {{language: BP{options}}}\n"
        )
    };
    folder.write("boolean/one.yml", &task("unreach-call", ", command_line: '--compact -l MY_LABEL'"));
    folder.write("boolean/two.yml", &task("assert", ""));
    folder.write("boolean/three.bp", "void main() begin end");
    let found = find(&folder, &["boolean", "boolean/three.bp"], |filter| filter.language = "BP".to_owned()).unwrap();
    let languages: Vec<&Language> = found.tasks.iter().map(|task| &task.language).collect();
    let none = Language::Boolean(None);
    assert_eq!(languages, [&Language::Boolean(Some("MY_LABEL".to_owned())), &none, &none]);
    assert!(found.tasks[0].inputs[0].ends_with("boolean/a.bp"));
    let verdicts: Vec<Option<bool>> = found.tasks.iter().map(|task| task.expected.verdict).collect();
    assert_eq!(verdicts, [Some(false), None, Some(false)], "one, three, two");
}

/// The parts are disjoint, and together they are all tasks.
#[test]
fn shards() {
    let folder = Folder::new("discover_shards");
    for number in 0..7 {
        folder.task(&format!("locks/{number}"), true);
    }
    let mut parts = Vec::new();
    for index in 1..=3 {
        let mut tasks = folder.tasks();
        discover::Shard::parse(&format!("{index}/3")).unwrap().keep(&mut tasks);
        parts.extend(tasks.into_iter().map(|task| (index, task.name)));
    }
    let found: Vec<_> = parts.iter().map(|(index, name)| format!("{index} {name}")).collect();
    let expected = ["1 0", "1 3", "1 6", "2 1", "2 4", "3 2", "3 5"].map(|t| t.replace(' ', " locks/") + ".yml");
    assert_eq!(found, expected);
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/2/3"] {
        assert!(discover::Shard::parse(wrong).is_err(), "{wrong}");
    }
}
