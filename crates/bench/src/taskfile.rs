//! Task files of SV-COMP: YAML that names a program, its properties and its data model.
//!
//! Read are `format_version`, `input_files`, `properties`, `options.language` and `options.data_model`; other keys are
//! skipped. The format: <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>.

use robusto_cfa::ir::DataModel;
use saphyr_parser::{Event, Marker, Parser};
use std::borrow::Cow;

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

/// An open list or mapping; a mapping holds the key whose value comes next.
enum Level<'a> {
    List,
    Mapping(Option<Cow<'a, str>>),
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
    let mut task = Task::default();
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| error(text, *e.marker(), format!("this is not YAML: {}", e.info())))?;
        let fail = |message: &str| Err(error(text, span.start, message.to_owned()));
        match event {
            Event::Scalar(value, ..) => match levels.last_mut() {
                Some(Level::Mapping(key @ None)) => *key = Some(value),
                _ => {
                    task.set(&levels, &value, accepts).map_err(|message| error(text, span.start, message))?;
                    end_value(&mut levels);
                }
            },
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if let Some(Level::Mapping(None)) = levels.last() {
                    return fail("a key of a task file is a word");
                }
                if let (Event::MappingStart(..), [Level::Mapping(Some(key)), Level::List]) = (&event, &levels[..])
                    && key == "properties"
                {
                    task.properties.push(Property::default());
                }
                let is_list = matches!(event, Event::SequenceStart(..));
                levels.push(if is_list { Level::List } else { Level::Mapping(None) });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                levels.pop();
                end_value(&mut levels);
            }
            Event::Alias(_) => return fail("a task file has no aliases"),
            Event::DocumentStart(_) if documents > 0 => return fail("a task file has one document"),
            Event::DocumentStart(_) => documents += 1,
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
    }
    if task.files.is_empty() {
        return Err(TaskError { offset: 0, message: "the task file names no 'input_files'".to_owned() });
    }
    Ok(task)
}

impl Task {
    fn set(&mut self, levels: &[Level<'_>], value: &str, accepts: fn(&str) -> bool) -> Result<(), String> {
        match levels {
            [Level::Mapping(Some(key))] if key == "format_version" => self.version = Some(value.to_owned()),
            [Level::Mapping(Some(key))] | [Level::Mapping(Some(key)), Level::List] if key == "input_files" => {
                self.files.push(value.to_owned());
            }
            [Level::Mapping(Some(outer)), Level::Mapping(Some(key))] if outer == "options" => {
                match (key.as_ref(), value) {
                    ("language", language) if accepts(language) => self.language = Some(language.to_owned()),
                    ("language", _) => return Err(format!("the language '{value}' is not supported, only C is")),
                    ("data_model", "ILP32") => self.model = Some(DataModel::Ilp32),
                    ("data_model", "LP64") => self.model = Some(DataModel::Lp64),
                    ("data_model", _) => {
                        return Err(format!("the data model '{value}' is not known; ILP32 and LP64 are"));
                    }
                    _ => {}
                }
            }
            [Level::Mapping(Some(outer)), Level::List, Level::Mapping(Some(key))] if outer == "properties" => {
                if let Some(property) = self.properties.last_mut() {
                    property.set(key, value)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Property {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("property_file", _) => self.file = value.to_owned(),
            // The spellings of YAML 1.1 and 1.2.
            ("expected_verdict", "true" | "True" | "TRUE") => self.expected = Some(true),
            ("expected_verdict", "false" | "False" | "FALSE") => self.expected = Some(false),
            ("expected_verdict", "unknown" | "null" | "~" | "") => self.expected = None,
            ("expected_verdict", _) => return Err(format!("the verdict '{value}' is not known; true and false are")),
            ("subproperty", _) => self.subproperty = Some(value.to_owned()),
            _ => {}
        }
        Ok(())
    }
}

/// The value of the innermost mapping's key is complete.
fn end_value(levels: &mut [Level<'_>]) {
    if let Some(Level::Mapping(key)) = levels.last_mut() {
        *key = None;
    }
}

fn error(text: &str, at: Marker, message: String) -> TaskError {
    // The parser counts characters.
    let offset = text.char_indices().nth(at.index()).map_or(text.len(), |(offset, _)| offset);
    TaskError { offset, message }
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
        check_error("", 0, "input_files");
        check_error("properties: [x]", 0, "input_files");
        check_error("input_files: a.bp\noptions:\n  language: BP\n", 39, "language 'BP'");
        check_error("é: 1\ninput_files: a.c\noptions: {data_model: X}", 45, "data model 'X'");
        check_error("input_files: [a.c", 17, "not YAML");
        check_error("{{}: x}", 1, "a key");
        check_error("x: &a 1\ny: *a\n", 11, "alias");
        check_error("input_files: a.c\n---\ninput_files: b.c\n", 17, "one document");
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
        let task = read_any_language("format_version: '2.0'\ninput_files: a.bp\noptions:\n  language: BP\n").unwrap();
        assert_eq!((task.language.as_deref(), task.version.as_deref()), (Some("BP"), Some("2.0")));
    }

    #[test]
    fn deep_nesting_is_no_problem() {
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
        assert!(read(&format!("{deep}{}", "]".repeat(100_000))).is_err());
    }
}
