//! Witnesses as data, and the readers of the format's version 2.0: a strict one, and one for what other tools really write.
//!
//! The format: *Software Verification Witnesses 2.0* (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, SPIN 2024).

use robusto_yaml::{self as yaml, Fields, Node, Value};

/// A witness with all its entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// About the witness and its task.
    pub metadata: Metadata,
    /// What it claims.
    pub content: Content,
}

/// About a witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// A unique name.
    pub uuid: String,
    /// ISO 8601.
    pub creation_time: String,
    /// The producing tool.
    pub producer: String,
    /// Its version.
    pub version: String,
    /// How it was called.
    pub command_line: Option<String>,
    /// The program's files, each with its SHA-256.
    pub input_files: Vec<(String, String)>,
    /// The property as in a property file.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The program is right, and this holds in it.
    Correctness(Vec<Invariant>),
    /// The program is wrong, and an execution passes these segments in order.
    Violation(Vec<Segment>),
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; without it, the leftmost suitable place of the line is meant.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
}

/// Something that holds at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Whether the place is a loop.
    pub of_loop: bool,
    /// The place.
    pub location: Location,
    /// A C expression.
    pub value: String,
}

/// Waypoints to avoid, and then one to pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// An execution that passes one of these is not meant.
    pub avoid: Vec<Waypoint>,
    /// What is passed at the end of the segment.
    pub follow: Waypoint,
}

/// Something that an execution may pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Where.
    pub location: Location,
}

/// Kinds of waypoints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// This C expression is not zero before the statement.
    Assumption(String),
    /// The branch has this value (`true`, `false`, a number or `default`).
    Branching(String),
    /// The function is called.
    FunctionEnter,
    /// The call returns, and this holds of `\result`, if anything is said.
    FunctionReturn(Option<String>),
    /// The violation comes next.
    Target,
}

/// Reads a witness; whatever the format does not allow is an error that says where and why.
pub fn read(text: &str) -> Result<Witness, String> {
    let (witness, warnings) = read_leniently(text)?;
    match warnings.into_iter().next() {
        None => Ok(witness),
        Some(warning) => Err(warning),
    }
}

/// Reads a witness as other tools write them; what the format does not allow in its metadata, but nothing depends on, is a warning.
pub fn read_leniently(text: &str) -> Result<(Witness, Vec<String>), String> {
    let mut warnings = Vec::new();
    let root = yaml::read(text)?;
    let entries = root.list("the witness")?;
    let [entry] = entries else {
        return Err(format!("the witness has {} entries, not one", entries.len()));
    };
    let fields = entry.fields("the entry", &["entry_type", "metadata", "content"], &[])?;
    let metadata = metadata(fields.need("metadata")?, &mut warnings)?;
    let content = fields.need("content")?;
    let content = match fields.text("entry_type")? {
        "invariant_set" => {
            Content::Correctness(content.list("content")?.iter().map(invariant).collect::<Result<_, _>>()?)
        }
        "violation_sequence" => Content::Violation(segments(content)?),
        other => return Err(format!("line {}: entry type '{other}' is not known", entry.line)),
    };
    Ok((Witness { metadata, content }, warnings))
}

/// Reads the metadata. What other tools leave out or write in their own way, and what nothing depends on, is a warning.
fn metadata(node: &Node, warnings: &mut Vec<String>) -> Result<Metadata, String> {
    let known = ["format_version", "uuid", "creation_time", "producer", "task"];
    let fields = lenient(node, "metadata", &["format_version", "task"], &known, warnings)?;
    match fields.text("format_version")? {
        "2.0" => {}
        version @ "2.1" => warnings.push(format!("line {}: format version '{version}' is read as 2.0", node.line)),
        version => {
            return Err(format!("line {}: format version '{version}' is not supported, only 2.0 is", node.line));
        }
    }
    let optional = |name: &str| fields.get(name).map(|n| n.text(name).map(str::to_owned)).transpose();
    let uuid = optional("uuid")?.unwrap_or_default();
    let groups: Vec<usize> = uuid.split('-').map(str::len).collect();
    if groups != [8, 4, 4, 4, 12] || !uuid.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit()) {
        warnings.push(format!("line {}: '{uuid}' is no UUID", node.line));
    }
    let creation_time = optional("creation_time")?.unwrap_or_default();
    let shape: String = creation_time.chars().take(19).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    if shape != "0000-00-00T00:00:00" {
        warnings.push(format!("line {}: '{creation_time}' is no time of ISO 8601", node.line));
    }
    let (producer, version, command_line) = match fields.get("producer") {
        Some(node) => producer(node, warnings)?,
        None => {
            warnings.push(format!("line {}: 'metadata' lacks 'producer'", node.line));
            Default::default()
        }
    };
    let known = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    let task = lenient(fields.need("task")?, "task", &["input_files", "specification"], &known, warnings)?;
    match task.get("language").map(|n| n.text("language")).transpose()? {
        Some("C") => {}
        Some("c") | None => warnings.push(format!("line {}: the language is taken for C", node.line)),
        Some(_) => return Err(format!("line {}: the language must be C", node.line)),
    }
    let data_model = match task.get("data_model").map(|n| n.text("data_model")).transpose()? {
        Some(model @ ("ILP32" | "LP64")) => model.to_owned(),
        Some(other) => {
            let model = match &other.to_ascii_lowercase()[..] {
                "32bit" | "32-bit" | "32" | "ilp32" => "ILP32",
                "64bit" | "64-bit" | "64" | "lp64" => "LP64",
                _ => return Err(format!("line {}: data model '{other}' is not known", node.line)),
            };
            warnings.push(format!("line {}: data model '{other}' is read as {model}", node.line));
            model.to_owned()
        }
        None => {
            warnings.push(format!("line {}: 'task' lacks 'data_model'", node.line));
            String::new()
        }
    };
    let specification = task.text("specification")?;
    let specification = if specification.contains("CHECK") {
        specification.to_owned()
    } else {
        warnings.push(format!("line {}: specification '{specification}' is no text of a property file", node.line));
        format!("CHECK( init(main()), LTL({specification}) )")
    };
    let input_files = input_files(task, node.line, warnings)?;
    Ok(Metadata { uuid, creation_time, producer, version, command_line, input_files, specification, data_model })
}

/// Name, version, command line.
type Producer = (String, String, Option<String>);

fn producer(node: &Node, warnings: &mut Vec<String>) -> Result<Producer, String> {
    let known = ["name", "version", "configuration", "command_line", "description"];
    let fields = lenient(node, "producer", &["name"], &known, warnings)?;
    let optional = |name: &str| fields.get(name).map(|n| n.text(name).map(str::to_owned)).transpose();
    let version = optional("version")?;
    if version.is_none() {
        warnings.push(format!("line {}: 'producer' lacks 'version'", node.line));
    }
    Ok((fields.text("name")?.to_owned(), version.unwrap_or_default(), optional("command_line")?))
}

/// The files, each with its hash, which is empty where there is none.
fn input_files(task: Fields<'_>, line: usize, warnings: &mut Vec<String>) -> Result<Vec<(String, String)>, String> {
    let hashes: &[(String, Node)] = match task.get("input_file_hashes").map(|n| &n.value) {
        Some(Value::Map(hashes)) => hashes,
        _ => {
            warnings.push(format!("line {line}: 'input_file_hashes' must be a mapping"));
            &[]
        }
    };
    let mut files = Vec::new();
    for file in task.need("input_files")?.list("input_files")? {
        let name = file.text("input_files")?;
        let hash = match hashes.iter().find(|(key, _)| key == name) {
            Some((_, hash)) => hash.text("input_file_hashes")?.to_ascii_lowercase(),
            None => {
                warnings.push(format!("line {}: there is no hash of '{name}'", file.line));
                String::new()
            }
        };
        if !hash.is_empty() && (hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit())) {
            warnings.push(format!("line {}: '{hash}' is no SHA-256", file.line));
        }
        files.push((name.to_owned(), hash));
    }
    if files.is_empty() {
        return Err(format!("line {line}: there is no input file"));
    }
    if !hashes.is_empty() && files.len() != hashes.len() {
        warnings.push(format!("line {line}: each input file has one hash"));
    }
    Ok(files)
}

/// The fields of a mapping; unknown ones are warnings.
fn lenient<'n>(
    node: &'n Node,
    what: &str,
    needed: &[&str],
    known: &[&str],
    warnings: &mut Vec<String>,
) -> Result<Fields<'n>, String> {
    let unknown: Vec<&str> = match &node.value {
        Value::Map(entries) => entries.iter().map(|(key, _)| &key[..]).filter(|key| !known.contains(key)).collect(),
        _ => Vec::new(),
    };
    warnings.extend(unknown.iter().map(|key| format!("line {}: '{what}' has an unknown field '{key}'", node.line)));
    Ok(node.fields(what, needed, &[known, &unknown].concat())?)
}

fn location(node: &Node) -> Result<Location, String> {
    let fields = node.fields("location", &["file_name", "line"], &["column", "function"])?;
    Ok(Location {
        file: fields.text("file_name")?.to_owned(),
        line: fields.need("line")?.number("line")?,
        column: fields.get("column").map(|n| n.number("column")).transpose()?,
        function: fields.get("function").map(|n| n.text("function").map(str::to_owned)).transpose()?,
    })
}

fn invariant(node: &Node) -> Result<Invariant, String> {
    let inner = node.fields("an item of the content", &["invariant"], &[])?.need("invariant")?;
    let fields = inner.fields("invariant", &["type", "location", "value", "format"], &[])?;
    let of_loop = match fields.text("type")? {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return Err(format!("line {}: invariant type '{other}' is not known", inner.line)),
    };
    if fields.text("format")? != "c_expression" {
        return Err(format!("line {}: the format of an invariant is 'c_expression'", inner.line));
    }
    Ok(Invariant { of_loop, location: location(fields.need("location")?)?, value: fields.text("value")?.to_owned() })
}

fn segments(content: &Node) -> Result<Vec<Segment>, String> {
    let items = content.list("content")?;
    let mut segments = Vec::new();
    for item in items {
        let list = item.fields("an item of the content", &["segment"], &[])?.need("segment")?;
        let mut avoid = Vec::new();
        let mut follow = None;
        for node in list.list("segment")? {
            let (waypoint, is_follow) = waypoint(node)?;
            if follow.is_some() {
                return Err(format!("line {}: a segment ends with its waypoint to follow", node.line));
            }
            if is_follow {
                follow = Some(waypoint);
            } else if waypoint.kind == WaypointKind::Target {
                return Err(format!("line {}: a target cannot be avoided", node.line));
            } else {
                avoid.push(waypoint);
            }
        }
        let Some(follow) = follow else {
            return Err(format!("line {}: a segment needs a waypoint to follow", item.line));
        };
        segments.push(Segment { avoid, follow });
    }
    let targets = segments.iter().filter(|s| s.follow.kind == WaypointKind::Target).count();
    if targets != 1 || segments.last().is_none_or(|s| s.follow.kind != WaypointKind::Target) {
        return Err(format!("line {}: the last segment, and no other, follows a target", content.line));
    }
    Ok(segments)
}

fn waypoint(node: &Node) -> Result<(Waypoint, bool), String> {
    let inner = node.fields("an item of the segment", &["waypoint"], &[])?.need("waypoint")?;
    let fields = inner.fields("waypoint", &["type", "action", "location"], &["constraint"])?;
    let follow = match fields.text("action")? {
        "follow" => true,
        "avoid" => false,
        other => return Err(format!("line {}: action '{other}' is not known", inner.line)),
    };
    let constraint = fields.get("constraint");
    let needs = || constraint.ok_or_else(|| format!("line {}: this waypoint needs a constraint", inner.line));
    let value = |node: &Node, format: &str, optional: bool| -> Result<String, String> {
        let fields = node.fields("constraint", &["value"], &["format"])?;
        match fields.get("format").map(|n| n.text("format")).transpose()? {
            Some(found) if found == format => {}
            None if optional => {}
            _ => return Err(format!("line {}: the format of this constraint is '{format}'", node.line)),
        }
        Ok(fields.text("value")?.to_owned())
    };
    let kind = match fields.text("type")? {
        "assumption" => WaypointKind::Assumption(value(needs()?, "c_expression", true)?),
        "branching" => {
            let value = needs()?.fields("constraint", &["value"], &["format"])?.text("value")?;
            if !matches!(value, "true" | "false" | "default") && value.parse::<i64>().is_err() {
                return Err(format!(
                    "line {}: a branch is true, false, a number or default, not '{value}'",
                    inner.line
                ));
            }
            WaypointKind::Branching(value.to_owned())
        }
        "function_enter" if constraint.is_none() => WaypointKind::FunctionEnter,
        "function_return" => {
            WaypointKind::FunctionReturn(constraint.map(|c| value(c, "acsl_expression", false)).transpose()?)
        }
        "target" if constraint.is_none() => WaypointKind::Target,
        "target" | "function_enter" => return Err(format!("line {}: this waypoint has no constraint", inner.line)),
        other => return Err(format!("line {}: waypoint type '{other}' is not known", inner.line)),
    };
    Ok((Waypoint { kind, location: location(fields.need("location")?)? }, follow))
}
