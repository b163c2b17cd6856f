//! What editors, code-scanning sites and continuous-integration servers read.

mod support;

use serde_json::Value;
use std::fs;
use support::{ENDLESS, Folder};

const BAD: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int twice(int x) { return x + x; }
int main(void) {
    int y = twice(__VERIFIER_nondet_int());
    if (y == 14)
        reach_error();
    return 0;
}
";

/// A violation, a proof, an open question, a time limit, and input that is no C.
const RUNS: [(&str, &str, &[&str], i32); 5] = [
    ("bad", BAD, &["--property", "unreach-call"], 10),
    (
        "good",
        "void reach_error(void); int main(void) { int x = 1; if (x > 2) reach_error(); return 0; }",
        &["--property", "unreach-call"],
        0,
    ),
    ("several", BAD, &["--property", "all", "--trace", "full"], 10),
    ("endless", ENDLESS, &["--property", "unreach-call", "--timeout", "500ms"], 5),
    ("wrong", "int main( {", &[], 2),
];

#[test]
fn the_first_line_is_a_compilers() {
    let folder = Folder::new("ci_line");
    folder.write("a.c", BAD);
    let out = folder.run(&["check", "--property", "unreach-call", "a.c"]).expect(10).stdout;
    assert_eq!(out.lines().next(), Some("a.c:6:9: error: error call in main [unreach-call]"), "{out}");
    let out = folder.run(&["check", "--property", "unreach-call", "--property", "assert", "a.c"]).expect(10).stdout;
    assert!(out.contains("\na.c:6:9: error: error call in main [unreach-call]\n"), "{out}");
}

#[test]
fn sarif_keeps_the_rules_of_its_schema() {
    let folder = Folder::new("ci_sarif");
    for (name, text, options, code) in RUNS {
        let file = format!("src/{name} x.c");
        folder.write(&file, text);
        folder.run(&[&["check", "--sarif", "out.sarif", &file], options].concat()).expect(code);
        let text = fs::read_to_string(folder.path("out.sarif")).expect("a document");
        let log: Value = serde_json::from_str(&text).expect("it is JSON");
        schema::check(&log, schema::LOG, "log");
        let run = &log["runs"][0];
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["exitCode"], code, "{name}");
        assert_eq!(invocation["executionSuccessful"], matches!(code, 0 | 10), "{name}");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        for result in run["results"].as_array().expect("results") {
            let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(result["level"] == "none" || result["kind"] == "fail", "{result}");
            let location = &result["locations"][0]["physicalLocation"];
            assert_eq!(location["artifactLocation"]["uri"], format!("src/{name}%20x.c"));
        }
        let kinds: Vec<_> = run["results"].as_array().unwrap().iter().map(|r| r["kind"].as_str().unwrap()).collect();
        match name {
            "bad" => {
                assert_eq!(kinds, ["fail"]);
                let result = &run["results"][0];
                assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
                let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
                let lines: Vec<_> =
                    flow.iter().map(|s| &s["location"]["physicalLocation"]["region"]["startLine"]).collect();
                assert!(lines.iter().any(|l| **l == 2) && lines.iter().any(|l| **l == 5), "{lines:?}");
                assert!(flow.iter().any(|s| s["nestingLevel"] == 1), "{flow:?}");
                assert!(result["message"]["text"].as_str().unwrap().contains("inputs"), "{result}");
            }
            "good" => assert_eq!(kinds, ["pass"]),
            "several" => assert!(kinds.contains(&"fail") && kinds.len() > 1, "{kinds:?}"),
            "wrong" => {
                let note = &invocation["toolExecutionNotifications"][0];
                assert_eq!(note["level"], "error");
                assert_eq!(note["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
            }
            _ => {
                assert!(invocation["toolExecutionNotifications"][0]["message"]["text"].to_string().contains("timeout"))
            }
        }
    }
}

#[test]
fn fingerprints_outlive_lines() {
    let folder = Folder::new("ci_fingerprints");
    let fingerprint = |text: &str| {
        folder
            .write("a.c", text)
            .run(&["check", "--property", "unreach-call", "--sarif", "out.sarif", "a.c"])
            .expect(10);
        let text = fs::read_to_string(folder.path("out.sarif")).unwrap();
        let log: Value = serde_json::from_str(&text).unwrap();
        log["runs"][0]["results"][0]["partialFingerprints"].to_string()
    };
    assert_eq!(fingerprint(BAD), fingerprint(&format!("\n\n{BAD}")));
    assert_ne!(
        fingerprint(BAD),
        fingerprint(
            &BAD.replace("main", "start")
                .replace("int twice", "int start(void); int main(void) { return start(); } int twice")
        )
    );
}

#[test]
fn test_results() {
    let folder = Folder::new("ci_junit");
    for (name, text, options, code) in RUNS {
        let file = format!("{name}<&.c");
        folder.write(&file, text);
        folder.run(&[&["check", "--junit", "out.xml", &file], options].concat()).expect(code);
        let xml = fs::read_to_string(folder.path("out.xml")).expect("a document");
        let element = match code {
            10 => "<failure message=\"error call in main\">",
            5 => "<skipped message=\"unknown: timeout\">",
            2 => "<error message=",
            _ => "/>",
        };
        assert!(xml.contains(element) && xml.contains(&format!("classname=\"{name}&lt;&amp;.c\"")), "{xml}");
        for (attribute, wanted) in [("failures", code == 10), ("errors", code == 2), ("skipped", code == 5)] {
            assert_eq!(!xml.contains(&format!("{attribute}=\"0\"")), wanted, "{attribute} {xml}");
        }
    }
}

#[test]
fn lines_for_github() {
    let folder = Folder::new("ci_github");
    folder.write("a.c", BAD).write("wrong.c", "int x = ;\n");
    let out = folder.run(&["check", "--property", "unreach-call", "--github", "a.c"]).expect(10).stdout;
    assert!(
        out.contains("\n::error file=a.c,line=6,col=9,title=robusto unreach-call::error call in main%0Ainputs: "),
        "{out}"
    );
    assert!(out.trim_end().ends_with("RESULT: false(unreach-call)"), "{out}");
    folder.run(&["check", "--github", "wrong.c"]).expect(2).says("::error file=wrong.c,line=1,col=9,title=robusto::");
}

#[test]
fn json_says_what_is_wrong_with_the_input() {
    let folder = Folder::new("ci_diagnostics");
    let diagnostics = |args: &[&str], code: i32| {
        folder.run(&[&["check", "--json", "out.json"], args].concat()).expect(code);
        let text = fs::read_to_string(folder.path("out.json")).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        document["diagnostics"].clone()
    };
    folder.write("wrong.c", "int x = ;\n").write("good.c", "int main(void) { return 0; }");
    let list = diagnostics(&["wrong.c"], 2);
    assert_eq!((&list[0]["severity"], &list[0]["location"]["line"]), (&"error".into(), &1.into()), "{list}");
    assert_eq!((&list[0]["location"]["file"], &list[0]["location"]["column"]), (&"wrong.c".into(), &9.into()));
    assert!(list[0]["message"].as_str().is_some_and(|text| text.contains("expression")), "{list}");
    let list = diagnostics(&["missing.c"], 2);
    assert!(list[0]["message"].as_str().is_some_and(|text| text.contains("cannot read")), "{list}");
    assert!(diagnostics(&["good.c"], 0).is_null());
}

#[cfg(target_os = "linux")]
#[test]
fn bench_says_what_is_false() {
    let folder = Folder::new("ci_bench");
    folder.write("a.c", BAD).write("b.c", "int main(void) { return 0; }");
    folder.run(&["bench", "-o", "one", "b.c"]).expect(0);
    folder
        .run(&["bench", "-o", "two", "a.c", "b.c"])
        .expect(10)
        .prints("1 answer `false` of programs without an expected verdict");
    folder.run(&["bench", "report", "two"]).expect(10);
}

/// The rules of the schema of SARIF 2.1.0 for the objects that we write: which properties an object may have, which it must
/// have, and of which kind they are. All objects but bags of strings have no other properties.
mod schema {
    use serde_json::Value;

    /// What a value may be.
    pub enum Kind {
        Text,
        Uri,
        OneOf(&'static [&'static str]),
        AtLeast(i64),
        Flag,
        Texts,
        /// A mapping from names to texts.
        Bag,
        One(&'static [Rule]),
        /// A list with at least so many items.
        Many(usize, &'static [Rule]),
    }

    /// A property: its name, whether it must be there, and what it is.
    pub type Rule = (&'static str, bool, Kind);

    use Kind::{AtLeast, Bag, Flag, Many, One, OneOf, Text, Texts, Uri};

    const LEVELS: Kind = OneOf(&["none", "note", "warning", "error"]);
    const MESSAGE: &[Rule] = &[("text", true, Text), ("markdown", false, Text)];
    const REGION: &[Rule] = &[("startLine", false, AtLeast(1)), ("startColumn", false, AtLeast(1))];
    const PHYSICAL: &[Rule] =
        &[("artifactLocation", true, One(&[("uri", false, Uri)])), ("region", false, One(REGION))];
    const LOCATION: &[Rule] = &[("physicalLocation", false, One(PHYSICAL)), ("message", false, One(MESSAGE))];
    const STEP: &[Rule] = &[
        ("location", false, One(LOCATION)),
        ("nestingLevel", false, AtLeast(0)),
        ("executionOrder", false, AtLeast(-1)),
        ("importance", false, OneOf(&["important", "essential", "unimportant"])),
    ];
    const FLOW: &[Rule] = &[("threadFlows", true, Many(1, &[("locations", true, Many(1, STEP))]))];
    const RESULT: &[Rule] = &[
        ("ruleId", false, Text),
        ("ruleIndex", false, AtLeast(-1)),
        ("kind", false, OneOf(&["notApplicable", "pass", "fail", "review", "open", "informational"])),
        ("level", false, LEVELS),
        ("message", true, One(MESSAGE)),
        ("locations", false, Many(0, LOCATION)),
        ("partialFingerprints", false, Bag),
        ("codeFlows", false, Many(0, FLOW)),
    ];
    const RULE: &[Rule] = &[
        ("id", true, Text),
        ("shortDescription", false, One(MESSAGE)),
        ("fullDescription", false, One(MESSAGE)),
        ("help", false, One(MESSAGE)),
        ("defaultConfiguration", false, One(&[("level", false, LEVELS)])),
    ];
    const DRIVER: &[Rule] = &[("name", true, Text), ("version", false, Text), ("rules", false, Many(0, RULE))];
    const NOTE: &[Rule] =
        &[("level", false, LEVELS), ("message", true, One(MESSAGE)), ("locations", false, Many(0, LOCATION))];
    const INVOCATION: &[Rule] = &[
        ("arguments", false, Texts),
        ("executionSuccessful", true, Flag),
        ("exitCode", false, AtLeast(0)),
        ("toolExecutionNotifications", false, Many(0, NOTE)),
    ];
    const RUN: &[Rule] = &[
        ("tool", true, One(&[("driver", true, One(DRIVER))])),
        ("columnKind", false, OneOf(&["utf16CodeUnits", "unicodeCodePoints"])),
        ("invocations", false, Many(0, INVOCATION)),
        ("results", false, Many(0, RESULT)),
    ];
    /// The whole document.
    pub const LOG: &[Rule] =
        &[("$schema", false, Uri), ("version", true, OneOf(&["2.1.0"])), ("runs", true, Many(0, RUN))];

    /// Checks an object.
    pub fn check(value: &Value, rules: &'static [Rule], path: &str) {
        let object = value.as_object().unwrap_or_else(|| panic!("{path} is no object: {value}"));
        for key in object.keys() {
            assert!(rules.iter().any(|(name, ..)| name == key), "{path} has a property `{key}`");
        }
        for (name, needed, kind) in rules {
            match object.get(*name) {
                None => assert!(!needed, "{path} has no `{name}`"),
                Some(value) => check_value(value, kind, &format!("{path}.{name}")),
            }
        }
    }

    fn check_value(value: &Value, kind: &'static Kind, path: &str) {
        let text = || value.as_str().unwrap_or_else(|| panic!("{path} is no text: {value}"));
        let list = || value.as_array().unwrap_or_else(|| panic!("{path} is no list: {value}"));
        match kind {
            Text => assert!(!text().is_empty(), "{path}"),
            Uri => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
                assert!(text().chars().all(plain), "{path}: {value}");
            }
            OneOf(words) => assert!(words.contains(&text()), "{path}: {value}"),
            AtLeast(least) => assert!(value.as_i64().is_some_and(|number| number >= *least), "{path}: {value}"),
            Flag => assert!(value.is_boolean(), "{path}: {value}"),
            Texts => list().iter().for_each(|item| assert!(item.is_string(), "{path}: {item}")),
            Bag => {
                let bag = value.as_object().unwrap_or_else(|| panic!("{path}: {value}"));
                bag.values().for_each(|item| assert!(item.is_string(), "{path}: {item}"));
            }
            One(rules) => check(value, rules, path),
            Many(least, rules) => {
                assert!(list().len() >= *least, "{path}: {value}");
                list().iter().enumerate().for_each(|(i, item)| check(item, rules, &format!("{path}[{i}]")));
            }
        }
    }
}
