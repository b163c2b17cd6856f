//! From files, folders, globs and lists of task files to tasks.

use crate::judge::Expected;
use crate::taskfile;
use glob::Pattern;
use robusto_cfa::ir::DataModel;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Something to run a tool on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Family and file name, `locks/test_locks_5.yml`: the same wherever the tasks lie. Longer where that is
    /// ambiguous.
    pub name: String,
    /// The file, as the user would name it.
    pub path: PathBuf,
    /// The program's files, likewise.
    pub inputs: Vec<PathBuf>,
    /// The folder's name.
    pub family: String,
    /// The program's language.
    pub language: Language,
    /// What to expect of the property.
    pub expected: Expected,
    /// The data model to ask for, if the task file leaves it open.
    pub model: Option<DataModel>,
}

/// What a program is written in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// A Boolean program, with the label that must not be reached; without one its assertions count.
    Boolean(Option<String>),
}

/// The name of Boolean programs in task files, and the extension of their files.
const BOOLEAN: (&str, &str) = ("BP", "bp");

/// Reads a pattern of a [`Filter`]: `*`, `?`, `[…]`.
pub fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::new(text).map_err(|error| format!("'{text}' is no pattern: {error}"))
}

/// Which tasks are wanted.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The property, by name or file.
    pub property: String,
    /// The language.
    pub language: String,
    /// Patterns of families; none means all.
    pub families: Vec<Pattern>,
    /// Patterns of task names, with or without family and extension; none means all.
    pub names: Vec<Pattern>,
}

impl Filter {
    /// All C tasks with a property.
    pub fn new(property: &str) -> Self {
        Self { property: property.to_owned(), language: "C".to_owned(), families: Vec::new(), names: Vec::new() }
    }

    fn accepts(&self, path: &Path) -> bool {
        let part = |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
        let (family, file, stem) = (family(path), part(path.file_name()), part(path.file_stem()));
        let names = [format!("{family}/{file}"), format!("{family}/{stem}"), file, stem];
        let any = |patterns: &[Pattern], names: &[String]| {
            patterns.is_empty() || patterns.iter().any(|p| names.iter().any(|name| p.matches(name)))
        };
        any(&self.families, &[family]) && any(&self.names, &names)
    }
}

/// A part of the tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// Reads `I/N`, from `1/N` to `N/N`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("'{text}' is no part such as 1/4, from 1/4 to 4/4")),
        }
    }

    /// Keeps every N-th task: neighbours are alike, and each part gets its share of the hard ones.
    pub fn keep(self, tasks: &mut Vec<Task>) {
        let mut place = 0;
        tasks.retain(|_| {
            place += 1;
            (place - 1) % self.count == self.index - 1
        });
    }
}

/// What was found.
#[derive(Default, Debug)]
pub struct Found {
    /// The tasks, in natural order, each once.
    pub tasks: Vec<Task>,
    /// Tasks without the property.
    pub without_property: usize,
    /// Tasks in another language.
    pub other_language: usize,
    /// Files that are no tasks, and why. A file that the user named is an error instead.
    pub skipped: Vec<(PathBuf, String)>,
}

/// Task files of format 1.0 name no data model; the competition had it per category. These families of the public
/// collection are for LP64, all others for ILP32.
const LP64_FAMILIES: &[&str] = &[
    "busybox-",
    "ldv-commit-tester",
    "ldv-linux-",
    "ldv-validator-",
    "signedintegeroverflow-regression",
    "termination-crafted",
];

/// Finds the tasks that places name: task files, programs, folders, globs, or lists (`.set`: a glob per line).
pub fn discover(places: &[String], filter: &Filter) -> Result<Found, String> {
    let mut found = Found::default();
    // By full path, so that a task that is named twice counts once.
    let mut tasks: BTreeMap<PathBuf, Task> = BTreeMap::new();
    for place in places {
        let mut files = Vec::new();
        let named = expand(place, &mut files)?;
        for path in files.into_iter().filter(|path| filter.accepts(path)) {
            match read(&path, filter) {
                Ok(Read::Task(task)) => {
                    tasks.insert(fs::canonicalize(&path).unwrap_or(path), task);
                }
                Ok(Read::WithoutProperty) => found.without_property += 1,
                Ok(Read::OtherLanguage) => found.other_language += 1,
                Err(message) if named => return Err(format!("{}: {message}", path.display())),
                Err(message) => found.skipped.push((path, message)),
            }
        }
    }
    name(&mut tasks);
    found.tasks = tasks.into_values().collect();
    found.tasks.sort_by_cached_key(|task| natural(&task.name));
    Ok(found)
}

/// Adds the files of a place; whether the user named the file itself.
fn expand(place: &str, files: &mut Vec<PathBuf>) -> Result<bool, String> {
    let path = Path::new(place);
    if path.is_dir() {
        walk(path, files).map_err(|error| format!("cannot read the folder '{place}': {error}"))?;
        return Ok(false);
    }
    if !path.exists() {
        expand_glob(place, files)?;
        return Ok(false);
    }
    if path.extension().is_none_or(|extension| extension != "set") {
        files.push(path.to_owned());
        return Ok(true);
    }
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read the list '{place}': {error}"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = Pattern::escape(&folder.to_string_lossy());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let pattern = Path::new(&folder).join(line);
        expand_glob(&pattern.to_string_lossy(), files).map_err(|error| format!("{place}: {error}"))?;
    }
    Ok(false)
}

fn expand_glob(pattern: &str, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let before = files.len();
    let paths = glob::glob(pattern).map_err(|error| format!("'{pattern}' is no pattern: {error}"))?;
    for path in paths.flatten() {
        if path.is_dir() {
            walk(&path, files).map_err(|error| format!("cannot read the folder '{}': {error}", path.display()))?;
        } else {
            files.push(path);
        }
    }
    if files.len() == before { Err(format!("there is no file '{pattern}'")) } else { Ok(()) }
}

/// Adds the task files below a folder; links to folders are not followed, hidden folders not entered.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.file_type()?.is_dir() {
                if !hidden {
                    open.push(path);
                }
            } else if is_task_file(&path) {
                files.push(path);
            }
        }
    }
    Ok(())
}

fn is_task_file(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("yml" | "yaml"))
}

enum Read {
    Task(Task),
    WithoutProperty,
    OtherLanguage,
}

fn read(path: &Path, filter: &Filter) -> Result<Read, String> {
    let family = family(path);
    let mut task = Task {
        name: String::new(),
        path: path.to_owned(),
        inputs: vec![path.to_owned()],
        family,
        language: Language::C,
        expected: Expected::default(),
        model: None,
    };
    if !is_task_file(path) {
        if path.extension().is_some_and(|extension| extension == BOOLEAN.1) {
            task.language = Language::Boolean(None);
        }
        return Ok(Read::Task(task));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file = taskfile::read_any_language(&text).map_err(|error| error.message)?;
    if file.language.as_deref().unwrap_or("C") != filter.language {
        return Ok(Read::OtherLanguage);
    }
    let named = |name: &str| file.properties.iter().find(|p| p.name() == taskfile::property_name(name));
    let mut property = named(&filter.property);
    if file.language.as_deref() == Some(BOOLEAN.0) {
        task.language = Language::Boolean(file.command_line.as_deref().and_then(label));
        // It is the program that says which assertions or label count, whatever the collection calls that.
        property = property.or_else(|| named("assert")).or_else(|| named("unreach-call"));
    }
    let Some(property) = property else { return Ok(Read::WithoutProperty) };
    task.expected = Expected { verdict: property.expected, subproperty: property.subproperty.clone() };
    if file.model.is_none() && file.version.is_some_and(|version| version.starts_with("1.")) {
        let wide = LP64_FAMILIES.iter().any(|prefix| task.family.starts_with(prefix));
        task.model = Some(if wide { DataModel::Lp64 } else { DataModel::Ilp32 });
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    task.inputs = file.files.iter().map(|file| folder.join(file)).collect();
    Ok(Read::Task(task))
}

/// The label that the options of a Boolean program's task name: `-l LABEL` or `--target LABEL`.
fn label(options: &str) -> Option<String> {
    let mut words = options.split_whitespace();
    words.find(|word| ["-l", "--target"].contains(word))?;
    words.next().map(str::to_owned)
}

fn family(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = absolute.parent().and_then(Path::file_name);
    folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Gives each task the shortest end of its path that no other has, of at least two components.
fn name(tasks: &mut BTreeMap<PathBuf, Task>) {
    let tail = |path: &Path, count: usize| {
        let parts: Vec<_> = path.iter().rev().take(count).map(|part| part.to_string_lossy()).collect();
        parts.into_iter().rev().collect::<Vec<_>>().join("/")
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for length in 2.. {
        count.clear();
        for path in tasks.keys() {
            *count.entry(tail(path, length)).or_default() += 1;
        }
        for (path, task) in tasks.iter_mut().filter(|(_, task)| task.name.is_empty()) {
            let name = tail(path, length);
            if count[&name] == 1 {
                task.name = name;
            }
        }
        if tasks.values().all(|task| !task.name.is_empty()) {
            return;
        }
    }
}

/// A key that sorts `x10` after `x9`.
pub fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, tail) = tail.split_at(end);
        parts.push((text.to_owned(), number.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    parts
}
