//! The readers of witnesses: a strict one, and one for what other tools really write.

use crate::format::{
    Claims, Content, Contract, Invariant, Location, Metadata, Segment, Version, Waypoint, WaypointKind, Witness,
};
use robusto_yaml::{self as yaml, Fields, Node, Value};

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
    let mut found = None;
    let mut ghosts = Vec::new();
    let mut beyond = None;
    for entry in entries {
        let fields = entry.fields("the entry", &["entry_type", "metadata", "content"], &[])?;
        let metadata = metadata(fields.need("metadata")?, &mut warnings)?;
        let (version, content) = (metadata.format, fields.need("content")?);
        let content = match fields.text("entry_type")? {
            "invariant_set" => Content::Correctness(claims(content, version, &mut beyond)?),
            "violation_sequence" => Content::Violation(segments(content, version, &mut beyond)?),
            "ghost_instrumentation" if version >= Version::V2_1 => {
                ghosts.extend(ghost_variables(content)?);
                continue;
            }
            other => return Err(format!("line {}: entry type '{other}' is not known", entry.line)),
        };
        if found.replace((metadata, content)).is_some() {
            return Err(format!("line {}: the witness has a second entry of this kind", entry.line));
        }
    }
    let Some((metadata, mut content)) = found else {
        return Err(format!("the witness has {} entries, and none with a claim", entries.len()));
    };
    match &mut content {
        Content::Correctness(claims) => claims.ghosts = ghosts,
        Content::Violation(_) if !ghosts.is_empty() => {
            return Err("the witness of a violation has ghost variables".to_owned());
        }
        Content::Violation(_) => {}
    }
    Ok((Witness { metadata, content, beyond }, warnings))
}

/// Reads the metadata. What other tools leave out or write in their own way, and what nothing depends on, is a warning.
fn metadata(node: &Node, warnings: &mut Vec<String>) -> Result<Metadata, String> {
    let known = ["format_version", "uuid", "creation_time", "producer", "task"];
    let fields = lenient(node, "metadata", &["format_version", "task"], &known, warnings)?;
    let format = match fields.text("format_version")? {
        "2.0" => Version::V2_0,
        "2.1" => Version::V2_1,
        version => {
            return Err(format!("line {}: format version '{version}' is not supported, 2.0 and 2.1 are", node.line));
        }
    };
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
    Ok(Metadata {
        format,
        uuid,
        creation_time,
        producer,
        version,
        command_line,
        input_files,
        specification,
        data_model,
    })
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

fn claims(content: &Node, version: Version, beyond: &mut Option<String>) -> Result<Claims, String> {
    let mut claims = Claims::default();
    for node in content.list("content")? {
        match node.get("contract").filter(|_| version >= Version::V2_1) {
            Some(inner) => {
                node.fields("an item of the content", &["contract"], &[])?;
                claims.contracts.push(contract(inner)?);
            }
            None => claims.invariants.extend(invariant(node, version, beyond)?),
        }
    }
    Ok(claims)
}

/// Whether an expression may be in this format.
fn check_format(found: &str, version: Version, of_results: bool) -> bool {
    match found {
        "c_expression" => !of_results || version >= Version::V2_1,
        "ext_c_expression" => version >= Version::V2_1,
        // Only the first version has this name, but some keep it.
        "acsl_expression" => of_results,
        _ => false,
    }
}

fn invariant(node: &Node, version: Version, beyond: &mut Option<String>) -> Result<Option<Invariant>, String> {
    let inner = node.fields("an item of the content", &["invariant"], &[])?.need("invariant")?;
    let labels: &[&str] = if version >= Version::V2_1 { &["labels"] } else { &[] };
    let fields = inner.fields("invariant", &["type", "location", "value", "format"], labels)?;
    check_labels(fields)?;
    let of_loop = match fields.text("type")? {
        "loop_invariant" => Some(true),
        "location_invariant" => Some(false),
        kind @ ("loop_transition_invariant" | "location_transition_invariant") if version >= Version::V2_1 => {
            *beyond = Some(format!("'{kind}' is not supported"));
            None
        }
        other => return Err(format!("line {}: invariant type '{other}' is not known", inner.line)),
    };
    if !check_format(fields.text("format")?, version, false) {
        return Err(format!("line {}: the format of an invariant is 'c_expression'", inner.line));
    }
    let (location, value) = (location(fields.need("location")?)?, fields.text("value")?.to_owned());
    Ok(of_loop.map(|of_loop| Invariant { of_loop, location, value }))
}

/// The only label says that an invariant is inductive; nobody relies on that.
fn check_labels(fields: Fields<'_>) -> Result<(), String> {
    for label in fields.get("labels").map_or(Ok(&[][..]), |labels| labels.list("labels"))? {
        if label.text("labels")? != "inductive" {
            return Err(format!("line {}: a label is 'inductive'", label.line));
        }
    }
    Ok(())
}

fn contract(node: &Node) -> Result<Contract, String> {
    let fields = node.fields("contract", &["type", "location", "format"], &["requires", "ensures", "labels"])?;
    check_labels(fields)?;
    if fields.text("type")? != "function_contract" {
        return Err(format!("line {}: the type of a contract is 'function_contract'", node.line));
    }
    if !check_format(fields.text("format")?, Version::V2_1, true) {
        return Err(format!("line {}: the format of a contract is 'ext_c_expression'", node.line));
    }
    let text = |name: &str| fields.get(name).map(|n| n.text(name).map(str::to_owned)).transpose();
    let (requires, ensures) = (text("requires")?, text("ensures")?);
    if requires.is_none() && ensures.is_none() {
        return Err(format!("line {}: a contract requires or ensures something", node.line));
    }
    Ok(Contract { location: location(fields.need("location")?)?, requires, ensures })
}

/// The names of ghost variables.
fn ghost_variables(content: &Node) -> Result<Vec<String>, String> {
    let fields = content.fields("content", &["ghost_variables", "ghost_updates"], &[])?;
    let mut names = Vec::new();
    for node in fields.need("ghost_variables")?.list("ghost_variables")? {
        let fields = node.fields("a ghost variable", &["name", "type", "scope", "initial"], &[])?;
        names.push(fields.text("name")?.to_owned());
    }
    for node in fields.need("ghost_updates")?.list("ghost_updates")? {
        let fields = node.fields("a ghost update", &["location", "updates"], &[])?;
        location(fields.need("location")?)?;
        for update in fields.need("updates")?.list("updates")? {
            update.fields("an update", &["variable", "value"], &["format"])?;
        }
    }
    Ok(names)
}

fn segments(content: &Node, version: Version, beyond: &mut Option<String>) -> Result<Vec<Segment>, String> {
    let items = content.list("content")?;
    let mut segments = Vec::new();
    for item in items {
        let list = item.fields("an item of the content", &["segment"], &[])?.need("segment")?;
        let mut avoid = Vec::new();
        let mut follow = None;
        for node in list.list("segment")? {
            let (waypoint, is_follow) = waypoint(node, version, beyond)?;
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

fn waypoint(node: &Node, version: Version, beyond: &mut Option<String>) -> Result<(Waypoint, bool), String> {
    let inner = node.fields("an item of the segment", &["waypoint"], &[])?.need("waypoint")?;
    let fields = inner.fields("waypoint", &["type", "action", "location"], &["constraint"])?;
    let follow = match fields.text("action")? {
        "follow" => true,
        "avoid" => false,
        "cycle" if version >= Version::V2_1 => {
            *beyond = Some("an execution without an end is not supported".to_owned());
            true
        }
        other => return Err(format!("line {}: action '{other}' is not known", inner.line)),
    };
    let constraint = fields.get("constraint");
    let needs = || constraint.ok_or_else(|| format!("line {}: this waypoint needs a constraint", inner.line));
    let value = |node: &Node, of_result: bool| -> Result<String, String> {
        let fields = node.fields("constraint", &["value"], &["format"])?;
        match fields.get("format").map(|n| n.text("format")).transpose()? {
            Some(found) if check_format(found, version, of_result) => {}
            None if !of_result => {}
            _ => {
                let format = if of_result { version.of_results() } else { "c_expression" };
                return Err(format!("line {}: the format of this constraint is '{format}'", node.line));
            }
        }
        Ok(fields.text("value")?.to_owned())
    };
    let kind = match fields.text("type")? {
        "assumption" => WaypointKind::Assumption(value(needs()?, false)?),
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
        "function_return" => WaypointKind::FunctionReturn(constraint.map(|c| value(c, true)).transpose()?),
        "target" if constraint.is_none() => WaypointKind::Target,
        "target" | "function_enter" => return Err(format!("line {}: this waypoint has no constraint", inner.line)),
        other => return Err(format!("line {}: waypoint type '{other}' is not known", inner.line)),
    };
    Ok((Waypoint { kind, location: location(fields.need("location")?)? }, follow))
}
