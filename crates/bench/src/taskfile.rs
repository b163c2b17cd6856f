//! Task files of SV-COMP: YAML that names a program, its properties and its data model.
//!
//! Read are `format_version`, `input_files`, `properties`, `options.language`, `options.data_model` and, of Boolean programs,
//! `options.command_line`; other keys are skipped. The format: <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>.

use robusto_cfa::ir::DataModel;
use robusto_yaml::{self as yaml, Node, Value};

/// What a task file says about its program.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// The format's version, if named.
    pub version: Option<String>,
    /// The program's files, relative to the task file's folder.
    pub files: Vec<String>,
    /// The data model, if named.
    pub model: Option<DataModel>,
    /// The language, if named; it is C otherwise.
    pub language: Option<String>,
    /// Options for the tool that the collection comes from.
    pub command_line: Option<String>,
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
}

/// A property of a task.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Property {
    /// The property file, relative to the task file's folder.
    pub file: String,
    /// Whether the program has the property, if that is known.
    pub expected: Option<bool>,
    /// Which part of the property is violated.
    pub subproperty: Option<String>,
}

impl Property {
    /// The property's name: `unreach-call` for `../properties/unreach-call.prp`.
    pub fn name(&self) -> &str {
        property_name(&self.file)
    }
}

/// The name of a property that is given as a name or as a file.
pub fn property_name(text: &str) -> &str {
    match text.strip_suffix(".prp") {
        Some(path) => path.rsplit('/').next().unwrap_or(path),
        None => text,
    }
}

/// What is wrong with a task file, and the byte offset where.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TaskError {
    /// Where.
    pub offset: usize,
    /// One sentence, lower case, no full stop.
    pub message: String,
}

/// Reads the task file of a C program; that of another language is an error.
pub fn read(text: &str) -> Result<Task, TaskError> {
    parse(text, |language| language == "C")
}

/// Reads a task file, whatever the program's language.
pub fn read_any_language(text: &str) -> Result<Task, TaskError> {
    parse(text, |_| true)
}

fn parse(text: &str, accepts: fn(&str) -> bool) -> Result<Task, TaskError> {
    let root = yaml::read(text)?;
    let mut task = Task::default();
    if let Some(node) = root.get("format_version") {
        task.version = Some(node.text("format_version")?.to_owned());
    }
    if let Some(node) = root.get("input_files") {
        let files = match &node.value {
            Value::List(files) => files,
            _ => std::slice::from_ref(node),
        };
        let name = |file: &Node| Ok(file.text("input_files")?.to_owned());
        task.files = files.iter().map(name).collect::<Result<_, TaskError>>()?;
    }
    if let Some(options) = root.get("options") {
        task.read_options(options, accepts)?;
    }
    if let Some(Node { value: Value::List(properties), .. }) = root.get("properties") {
        let mappings = properties.iter().filter(|node| matches!(node.value, Value::Map(_)));
        task.properties = mappings.map(Property::read).collect::<Result<_, _>>()?;
    }
    if task.files.is_empty() {
        return Err(TaskError { offset: 0, message: "the task file names no 'input_files'".to_owned() });
    }
    Ok(task)
}

impl Task {
    fn read_options(&mut self, options: &Node, accepts: fn(&str) -> bool) -> Result<(), TaskError> {
        if let Some(node) = options.get("language") {
            let language = node.text("language")?;
            if !accepts(language) {
                return Err(node.error(format!("the language '{language}' is not supported, only C is")).into());
            }
            self.language = Some(language.to_owned());
        }
        if let Some(node) = options.get("command_line") {
            self.command_line = Some(node.text("command_line")?.to_owned());
        }
        if let Some(node) = options.get("data_model") {
            self.model = Some(match node.text("data_model")? {
                "ILP32" => DataModel::Ilp32,
                "LP64" => DataModel::Lp64,
                other => {
                    return Err(node
                        .error(format!("the data model '{other}' is not known; ILP32 and LP64 are"))
                        .into());
                }
            });
        }
        Ok(())
    }
}

impl Property {
    fn read(node: &Node) -> Result<Self, TaskError> {
        let text = |key: &str| node.get(key).map(|value| value.text(key)).transpose();
        let expected = match text("expected_verdict")? {
            // The spellings of YAML 1.1 and 1.2.
            Some("true" | "True" | "TRUE") => Some(true),
            Some("false" | "False" | "FALSE") => Some(false),
            None | Some("unknown" | "null" | "~" | "") => None,
            Some(other) => {
                let value = node.get("expected_verdict").unwrap_or(node);
                return Err(value.error(format!("the verdict '{other}' is not known; true and false are")).into());
            }
        };
        Ok(Self {
            file: text("property_file")?.unwrap_or_default().to_owned(),
            expected,
            subproperty: text("subproperty")?.map(str::to_owned),
        })
    }
}

impl From<yaml::Error> for TaskError {
    fn from(error: yaml::Error) -> Self {
        Self { offset: error.offset, message: error.message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, files: &[&str], model: Option<DataModel>) {
        let task = read(text).unwrap();
        assert_eq!(
            (&task.files[..], task.model),
            (&files.iter().map(|&f| f.to_owned()).collect::<Vec<_>>()[..], model)
        );
    }

    fn check_error(text: &str, offset: usize, message: &str) {
        let found = read(text).unwrap_err();
        assert!(found.offset == offset && found.message.contains(message), "{text}: {found:?}");
    }

    #[test]
    fn tasks() {
        check("format_version: '1.0'\n# old name: b.c\ninput_files: 'a.c'\n", &["a.c"], None);
        check("input_files: [a.c, \"b c.c\"]\noptions: {data_model: LP64}", &["a.c", "b c.c"], Some(DataModel::Lp64));
        check(
            "format_version: '2.0'\n\ninput_files:\n  - a.i\n  - b.i\nproperties:\n  - property_file: ../p.prp\n    \
             expected_verdict: true\n    input_files: no.c\noptions:\n  language: C\n  data_model: ILP32\n",
            &["a.i", "b.i"],
            Some(DataModel::Ilp32),
        );
    }

    #[test]
    fn errors() {
        check_error("", 0, "empty");
        check_error("properties: [x]", 0, "input_files");
        check_error("input_files: a.bp\noptions:\n  language: BP\n", 39, "language 'BP'");
        check_error("é: 1\ninput_files: a.c\noptions: {data_model: X}", 45, "data model 'X'");
        check_error("input_files: [a.c", 17, "not YAML");
        check_error("input_files: a.c\nproperties: [{expected_verdict: maybe}]", 49, "verdict 'maybe'");
        check_error("input_files: a.c\ninput_files: b.c\n", 17, "twice");
        check_error("input_files: a.c\n---\ninput_files: b.c\n", 17, "second document");
    }

    #[test]
    fn properties() {
        let task = read(
            "input_files: a.c\nproperties:\n  - property_file: ../p/valid-memsafety.prp\n    expected_verdict: false\n    \
             subproperty: valid-deref\n  - property_file: coverage.prp\n  - {expected_verdict: true, property_file: x}\n",
        );
        let property = |file: &str, expected, subproperty: Option<&str>| Property {
            file: file.to_owned(),
            expected,
            subproperty: subproperty.map(str::to_owned),
        };
        let expected = [
            property("../p/valid-memsafety.prp", Some(false), Some("valid-deref")),
            property("coverage.prp", None, None),
            property("x", Some(true), None),
        ];
        let found = task.unwrap().properties;
        assert_eq!(found, expected);
        assert_eq!(found.iter().map(Property::name).collect::<Vec<_>>(), ["valid-memsafety", "coverage", "x"]);
        check_error("input_files: a.c\nproperties: [{expected_verdict: maybe}]", 49, "'maybe'");
    }

    #[test]
    fn other_languages() {
        let text = "format_version: '2.0'\ninput_files: a.bp\noptions:\n  language: BP\n  command_line: '-l X'\n";
        let task = read_any_language(text).unwrap();
        assert_eq!(task.command_line.as_deref(), Some("-l X"));
        assert_eq!((task.language.as_deref(), task.version.as_deref()), (Some("BP"), Some("2.0")));
    }

    #[test]
    fn deep_nesting_is_no_problem() {
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
        assert!(read(&format!("{deep}{}", "]".repeat(100_000))).is_err());
    }
}
