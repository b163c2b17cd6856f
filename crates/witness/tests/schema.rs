//! What we write follows the schema of the format, in both versions, and what does not follow it is not read.
//!
//! The schema stands here a second time, as a table, so that reader and writer cannot agree on a mistake.

use robusto_witness::{
    Claims, Content, Contract, Invariant, Location, Metadata, Segment, Version, Waypoint, WaypointKind, Witness, hash,
    read, render, uuid,
};
use robusto_yaml::{Node, Value};

/// What a node may be.
enum Schema {
    /// A text, one of these if there are any.
    Text(Vec<&'static str>),
    /// A positive number.
    Number,
    /// A list of such nodes.
    List(Box<Schema>),
    /// A mapping with these keys; those with a question mark may be missing.
    Map(Vec<(&'static str, Schema)>),
    /// A mapping from any names to such nodes.
    Names(Box<Schema>),
    /// One of these.
    Either(Vec<Schema>),
}

use Schema::{Either, List, Map, Names, Number, Text};

fn any() -> Schema {
    Text(Vec::new())
}

fn word(text: &'static str) -> Schema {
    Text(vec![text])
}

fn location() -> Schema {
    Map(vec![("file_name", any()), ("line", Number), ("column?", Number), ("function?", any())])
}

fn metadata(version: &'static str) -> Schema {
    let producer = vec![
        ("name", any()),
        ("version", any()),
        ("configuration?", any()),
        ("command_line?", any()),
        ("description?", any()),
    ];
    let task = vec![
        ("input_files", List(Box::new(any()))),
        ("input_file_hashes", Names(Box::new(any()))),
        ("specification", any()),
        ("data_model", Text(vec!["ILP32", "LP64"])),
        ("language", word("C")),
    ];
    Map(vec![
        ("format_version", word(version)),
        ("uuid", any()),
        ("creation_time", any()),
        ("producer", Map(producer)),
        ("task", Map(task)),
    ])
}

/// A witness of a version.
fn schema(version: Version) -> Schema {
    let is_new = version == Version::V2_1;
    let of_results = if is_new { vec!["c_expression", "ext_c_expression"] } else { vec!["acsl_expression"] };
    let of_values = if is_new { vec!["c_expression", "ext_c_expression"] } else { vec!["c_expression"] };
    let labels = || List(Box::new(word("inductive")));
    let mut invariant = vec![
        ("type", Text(vec!["loop_invariant", "location_invariant"])),
        ("location", location()),
        ("value", any()),
        ("format", Text(of_values.clone())),
    ];
    let mut items = Vec::new();
    if is_new {
        invariant.push(("labels?", labels()));
        let contract = vec![
            ("type", word("function_contract")),
            ("location", location()),
            ("requires?", any()),
            ("ensures?", any()),
            ("format", Text(of_results.clone())),
            ("labels?", labels()),
        ];
        items.push(Map(vec![("contract", Map(contract))]));
    }
    items.push(Map(vec![("invariant", Map(invariant))]));
    let action = || Text(vec!["follow", "avoid"]);
    let waypoint = |kind: &'static str, constraint: Option<Schema>| {
        let mut fields = vec![("type", word(kind)), ("action", action()), ("location", location())];
        fields.extend(constraint.map(|constraint| ("constraint", constraint)));
        Map(vec![("waypoint", Map(fields))])
    };
    let with = |formats: Vec<&'static str>| Map(vec![("value", any()), ("format", Text(formats))]);
    // An assumption is an expression of C unless it says something else.
    let of_assumption = Map(vec![("value", any()), ("format?", Text(of_values))]);
    let waypoints = vec![
        waypoint("assumption", Some(of_assumption)),
        waypoint("branching", Some(Map(vec![("value", any())]))),
        waypoint("function_enter", None),
        waypoint("function_return", Some(with(of_results))),
        waypoint("target", None),
    ];
    let segment = Map(vec![("segment", List(Box::new(Either(waypoints))))]);
    let entry = |kind: &'static str, item: Schema| {
        let content = List(Box::new(item));
        Map(vec![("entry_type", word(kind)), ("metadata", metadata(version.text())), ("content", content)])
    };
    List(Box::new(Either(vec![entry("invariant_set", Either(items)), entry("violation_sequence", segment)])))
}

fn follows(node: &Node, schema: &Schema) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("line {}: {what}", node.line));
    match (schema, &node.value) {
        (Text(known), Value::Scalar { text, .. }) => match known.is_empty() || known.contains(&&text[..]) {
            true => Ok(()),
            false => wrong(&format!("'{text}' is none of {known:?}")),
        },
        (Number, Value::Scalar { text, plain: true }) if text.parse::<u32>().is_ok_and(|n| n > 0) => Ok(()),
        (List(item), Value::List(nodes)) => nodes.iter().try_for_each(|node| follows(node, item)),
        (Names(value), Value::Map(entries)) => entries.iter().try_for_each(|(_, node)| follows(node, value)),
        (Map(fields), Value::Map(entries)) => {
            let name = |key: &'static str| key.trim_end_matches('?');
            for (key, _) in fields.iter().filter(|(key, _)| !key.ends_with('?')) {
                if !entries.iter().any(|(found, _)| found == key) {
                    return wrong(&format!("'{key}' is missing"));
                }
            }
            entries.iter().try_for_each(|(key, node)| match fields.iter().find(|(known, _)| name(known) == key) {
                Some((_, schema)) => follows(node, schema),
                None => wrong(&format!("'{key}' is unknown")),
            })
        }
        (Either(ways), _) => {
            let failed: Result<Vec<String>, ()> = ways.iter().map(|way| follows(node, way).err().ok_or(())).collect();
            failed.map_or(Ok(()), |reasons| Err(reasons.join("; or ")))
        }
        _ => wrong("this is another sort of node"),
    }
}

fn check(yaml: &str, version: Version) -> Result<(), String> {
    follows(&robusto_yaml::read(yaml)?, &schema(version))
}

fn witness(version: Version, content: Content) -> Witness {
    let metadata = Metadata {
        format: version,
        uuid: uuid("schema"),
        creation_time: "2026-01-01T00:00:00Z".to_owned(),
        producer: "Robusto".to_owned(),
        version: "1 \"quoted\"".to_owned(),
        command_line: Some("robusto check \\ a.c".to_owned()),
        input_files: vec![("a.c".to_owned(), hash(b"a")), ("b.c".to_owned(), hash(b"b"))],
        specification: "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )".to_owned(),
        data_model: "ILP32".to_owned(),
    };
    Witness { metadata, content, beyond: None }
}

fn at(line: u32, column: Option<u32>) -> Location {
    Location { file: "a.c".to_owned(), line, column, function: column.map(|_| "main".to_owned()) }
}

/// A witness of each kind, with everything that the version has.
fn witnesses(version: Version) -> [Witness; 3] {
    let point = |kind, line| Waypoint { kind, location: at(line, Some(3)) };
    let segment = |kind, line| Segment { avoid: Vec::new(), follow: point(kind, line) };
    let mut first = segment(WaypointKind::Assumption("x == \"a\"[0]".to_owned()), 4);
    first.avoid.push(point(WaypointKind::Branching("true".to_owned()), 5));
    first.avoid.push(point(WaypointKind::FunctionEnter, 6));
    let segments = vec![
        first,
        segment(WaypointKind::Branching("-3".to_owned()), 7),
        segment(WaypointKind::FunctionEnter, 8),
        segment(WaypointKind::FunctionReturn(Some("\\result == 'x'".to_owned())), 9),
        segment(WaypointKind::Target, 10),
    ];
    let invariant = |of_loop, column| Invariant { of_loop, location: at(3, column), value: "x < 3".to_owned() };
    let mut claims = Claims::from(vec![invariant(true, Some(2)), invariant(false, None)]);
    if version == Version::V2_1 {
        let (requires, ensures) = (Some("x > 0".to_owned()), Some("\\result == \\at(x, Old)".to_owned()));
        claims.contracts = vec![
            Contract { location: at(1, Some(1)), requires: requires.clone(), ensures: ensures.clone() },
            Contract { location: at(2, None), requires, ensures: None },
            Contract { location: at(2, None), requires: None, ensures },
        ];
    }
    let empty = Content::Correctness(Claims::default());
    [Content::Violation(segments), Content::Correctness(claims), empty].map(|content| witness(version, content))
}

#[test]
fn what_is_written_follows_the_schema() {
    for version in [Version::V2_0, Version::V2_1] {
        for witness in witnesses(version) {
            let yaml = render(&witness);
            assert_eq!(check(&yaml, version), Ok(()), "{yaml}");
            assert_eq!(read(&yaml), Ok(witness));
        }
    }
}

/// A line less, or a word that is not of the format: what the schema does not allow is not read.
#[test]
fn what_does_not_follow_the_schema_is_not_read() {
    let mut refused = 0;
    for version in [Version::V2_0, Version::V2_1] {
        for witness in witnesses(version) {
            let yaml = render(&witness);
            let lines: Vec<&str> = yaml.lines().collect();
            let mutants = (0..lines.len()).flat_map(|i| {
                let with = |change: Option<String>| {
                    let mut changed: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
                    changed.splice(i..=i, change);
                    changed.join("\n")
                };
                let line = lines[i];
                [
                    with(None),
                    with(Some(line.replacen(": ", "s: ", 1))),
                    with(Some(format!("{line}x"))),
                    with(Some(line.replacen(": ", ": -", 1))),
                ]
            });
            for mutant in mutants.filter(|mutant| *mutant != yaml) {
                if check(&mutant, version).is_err() {
                    assert!(read(&mutant).is_err(), "{mutant}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 400, "{refused} mutants");
}

/// The version says what there may be.
#[test]
fn new_things_need_the_new_version() {
    for witness in witnesses(Version::V2_1) {
        let old = render(&witness).replace("\"2.1\"", "\"2.0\"");
        let is_empty = matches!(&witness.content, Content::Correctness(claims) if *claims == Claims::default());
        assert_eq!(read(&old).is_ok(), is_empty, "{old}");
        assert_eq!(check(&old, Version::V2_0).is_ok(), is_empty, "{old}");
    }
}
