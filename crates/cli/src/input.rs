//! From arguments to a program: task files, decoding, preprocessing, compiling.

mod compiler;
mod database;
mod flags;
mod text;

pub use flags::respell;

use crate::args::InputArgs;
use crate::exit::{Diagnosed, Rejected};
use crate::report::Reporter;
use anyhow::Result;
use compiler::{Compiler, Preprocessed};
use database::Command;
use flags::Flags;
use robusto_bench::taskfile::{self, TaskError};
use robusto_bench::words;
use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::{Checks, Compiled, Defined, Driver, EntryPoint, Externs, Malloc, Options};
use robusto_syntax::lex::{Kind, Lexer};
use robusto_syntax::preprocess;
use robusto_syntax::source::FileId;
use robusto_syntax::{Diagnostic, Interner, Severity, SourceMap, Span};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use text::Preprocessor;

/// Reads the files, compiles with the checks that a property needs, and links. What is wrong with them goes to standard error.
pub fn compile(args: &InputArgs, checks: Checks) -> Result<Program> {
    Ok(load(args, checks)?.program)
}

/// A program and where it comes from.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The files.
    pub files: Vec<InputFile>,
    /// How they were compiled.
    pub options: Options,
    /// The functions that they define.
    pub functions: Vec<Defined>,
    /// The start as C, if it is not `main`.
    pub driver: Option<Driver>,
}

/// A C file as the compiler sees it.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text, preprocessed.
    pub text: String,
    /// Whether the text is the file's own: no preprocessor was needed.
    pub physical: bool,
}

/// As [`compile`]; gives also what was compiled, and how.
pub fn load(args: &InputArgs, checks: Checks) -> Result<Loaded> {
    load_at(args, None, checks)
}

/// As [`load`], for a program that starts at a function of its own. That there is none of that name is the caller's to say.
pub fn load_at(args: &InputArgs, entry: Option<EntryPoint>, checks: Checks) -> Result<Loaded> {
    let mut reporter = Reporter::new();
    let commands = args.database.as_deref().map(database::read).transpose()?.unwrap_or_default();
    let (sources, physical) = (SourceMap::new(), Vec::new());
    let loader = Loader { args, entry, checks, commands, sources, physical, reporter: &mut reporter };
    let result = loader.compile();
    let told = reporter.finish();
    result.map_err(|rejected| anyhow::Error::new(rejected).context(Diagnosed(told)))
}

struct Loader<'a> {
    args: &'a InputArgs,
    entry: Option<EntryPoint>,
    checks: Checks,
    /// How each file is compiled, by the compilation database.
    commands: Vec<Command>,
    sources: SourceMap,
    /// Files that went into the map as they are.
    physical: Vec<FileId>,
    reporter: &'a mut Reporter,
}

impl Loader<'_> {
    fn compile(mut self) -> Result<Loaded, Rejected> {
        let (paths, task_model) = self.resolve_tasks()?;
        let flags = self.flags_of(&paths)?;
        let models = flags.iter().map(|flags| flags.model);
        let model = self.args.data_model.map(DataModel::from).or(task_model);
        let model = model.or(models.flatten().next()).unwrap_or(DataModel::Lp64);
        let border = &self.args.border;
        let (externs, malloc) = if self.args.files.iter().any(|path| is_task(path)) {
            (Externs::Pure, Malloc::NeverFails)
        } else {
            (Externs::Args, Malloc::MayFail)
        };
        let options = Options {
            model,
            checks: self.checks,
            externs: border.externs.map_or(externs, Externs::from),
            volatile: border.volatile.into(),
            malloc: border.malloc.map_or(malloc, Malloc::from),
            entry: self.entry.take(),
        };
        // All files are read before any is given up, so that the user sees what is wrong with each.
        let files: Vec<_> = paths.iter().zip(&flags).map(|(path, flags)| self.load(path, flags, model)).collect();
        let files = files.into_iter().collect::<Result<Vec<FileId>, Rejected>>()?;
        if files.iter().all(|&file| self.is_empty(file)) {
            let at = self.sources.base(files[0]);
            let diagnostic = Diagnostic::error(Span::new(at, at), "the program is empty");
            self.reporter.show(&self.sources, &[diagnostic]);
            return Err(Rejected);
        }
        match robusto_cfa::compile_all(&mut self.sources, &files, options.clone()) {
            Ok(Compiled { program, warnings, functions, driver }) => {
                self.reporter.show(&self.sources, &warnings);
                let inputs = paths.into_iter().zip(&files).map(|(path, file)| InputFile {
                    path,
                    text: self.sources.text(*file).to_owned(),
                    physical: self.physical.contains(file),
                });
                Ok(Loaded { program, files: inputs.collect(), options, functions, driver })
            }
            Err(diagnostics) => {
                self.reporter.show(&self.sources, &diagnostics);
                Err(Rejected)
            }
        }
    }

    /// Whether a file has no token. One such file among others is fine (all of it in an `#ifdef`).
    fn is_empty(&self, file: FileId) -> bool {
        let mut names = Interner::new();
        let mut lexer = Lexer::new(self.sources.text(file), self.sources.base(file), &mut names);
        lexer.next_token(&mut names).kind == Kind::End
    }

    /// What the compiler is told of each file: what the database says, and then the command line.
    fn flags_of(&mut self, paths: &[PathBuf]) -> Result<Vec<Flags>, Rejected> {
        let mut list = Vec::new();
        for path in paths {
            let mut flags = Flags::default();
            let own = self.args.flags();
            let database = self.args.database.is_some().then(|| {
                let file = flags::absolute(Path::new(""), path);
                self.commands.iter().find(|command| command.file == file).cloned()
            });
            let added = match database {
                Some(None) => Err("the compilation database does not know this file".to_owned()),
                Some(Some(command)) => flags.add(&command.words, &command.folder),
                None => Ok(()),
            };
            if let Err(message) = added.and_then(|()| flags.add(&own, Path::new(""))) {
                return Err(self.reject(path, &message));
            }
            list.push(flags);
        }
        Ok(list)
    }

    /// Replaces each task file by the files that it names; finds the data model. Without any, the files are those of the
    /// compilation database.
    fn resolve_tasks(&mut self) -> Result<(Vec<PathBuf>, Option<DataModel>), Rejected> {
        if self.args.files.is_empty() {
            let wanted = self.entry.as_ref().map(|entry| entry.function.as_str());
            let Some(function) = wanted else {
                return Ok((self.commands.iter().map(|command| command.file.clone()).collect(), None));
            };
            let Some(command) = database::defining(&self.commands, function) else {
                let path = self.args.database.clone().unwrap_or_default();
                return Err(
                    self.reject(&path, &format!("no file of it seems to define `{function}`; name the file, too"))
                );
            };
            return Ok((vec![command.file.clone()], None));
        }
        let mut paths = Vec::new();
        let mut task_model: Option<DataModel> = None;
        for path in &self.args.files {
            if !is_task(path) {
                paths.push(path.clone());
                continue;
            }
            let text = self.read(path)?;
            let task = match taskfile::read(&text) {
                Ok(task) => task,
                Err(TaskError { offset, message }) => {
                    let place = |base| Span::new(base + offset as u32, base + offset as u32);
                    return Err(self.reject_at(path, text, |base| Diagnostic::error(place(base), message)));
                }
            };
            if let (Some(one), Some(other)) = (task_model, task.model)
                && one != other
            {
                let message = format!("this task file asks for {other}, another one for {one}");
                return Err(self.reject(path, &message));
            }
            task_model = task_model.or(task.model);
            let folder = path.parent().unwrap_or(Path::new(""));
            paths.extend(task.files.iter().map(|file| folder.join(file)));
        }
        Ok((paths, task_model))
    }

    /// Reads a C file and brings it into the source map, preprocessed.
    fn load(&mut self, path: &Path, flags: &Flags, model: DataModel) -> Result<FileId, Rejected> {
        let text = self.read(path)?;
        if path.extension().is_some_and(|e| e == "i") {
            return self.add_as_is(path, text);
        }
        match text::preprocessor(&text) {
            Preprocessor::Compiler => self.preprocess_by_compiler(path, text, flags, model),
            _ if flags.special => self.preprocess_by_compiler(path, text, flags, model),
            Preprocessor::Ours => self.preprocess(path, text, flags, model),
            Preprocessor::None if !flags.defines.is_empty() => self.preprocess(path, text, flags, model),
            Preprocessor::None => self.add_as_is(path, text),
        }
    }

    fn preprocess(&mut self, path: &Path, text: String, flags: &Flags, model: DataModel) -> Result<FileId, Rejected> {
        let data_model = match model {
            DataModel::Ilp32 => preprocess::DataModel::Ilp32,
            DataModel::Lp64 => preprocess::DataModel::Lp64,
        };
        let options = preprocess::Options { data_model, defines: flags.defines.clone() };
        match preprocess::preprocess(&path.display().to_string(), &text, &options) {
            Ok(preprocessed) => self.add(path, preprocessed),
            Err(error) => Err(self.reject_at(path, text, |base| error.diagnostic(base))),
        }
    }

    fn preprocess_by_compiler(
        &mut self,
        path: &Path,
        text: String,
        flags: &Flags,
        model: DataModel,
    ) -> Result<FileId, Rejected> {
        let cc = &self.args.cc;
        let Some(program) = words::split(cc).filter(|words| !words.is_empty()) else {
            return Err(self.reject(path, &format!("--cc '{cc}' is no command")));
        };
        let typed = is_stdin(path).then_some(text.as_str());
        let compiler = Compiler { program: &program, flags: &flags.words, typed, model };
        match compiler.preprocess(path) {
            Ok(Preprocessed::Text { text, remarks, borrowed_headers }) => {
                if !remarks.is_empty() {
                    self.reporter.pass_on(Severity::Warning, &remarks);
                }
                if borrowed_headers {
                    let message = "the 32-bit C headers are not installed; the 64-bit ones are read as if they were";
                    self.reporter.say(Severity::Warning, &path.display().to_string(), message);
                }
                let text = text::decode(text);
                let text = if typed.is_some() { text.replace("\"<stdin>\"", "\"-\"") } else { text };
                self.add(path, text::one_row_per_line(&text))
            }
            Ok(Preprocessed::Failed(errors)) => {
                self.reporter.pass_on(Severity::Error, &errors);
                Err(Rejected)
            }
            Err(error) => {
                let include = find_include(&text) as u32;
                let message = format!("cannot run the C compiler '{}', which resolves '#include': {error}", program[0]);
                let help = format!(
                    "install a C compiler, name one with --cc, or preprocess elsewhere: gcc -E {} > {}",
                    words::join(&[path.to_string_lossy()]),
                    words::join(&[path.with_extension("i").to_string_lossy()])
                );
                let place = |base| Span::new(base + include, base + include + 1);
                Err(self.reject_at(path, text, |base| Diagnostic::error(place(base), message).help(help)))
            }
        }
    }

    fn read(&mut self, path: &Path) -> Result<String, Rejected> {
        match read_text(path) {
            Ok(text) => Ok(text),
            Err(error) => Err(self.reject(path, &format!("cannot read the file: {error}"))),
        }
    }

    fn add_as_is(&mut self, path: &Path, text: String) -> Result<FileId, Rejected> {
        let file = self.add(path, text)?;
        self.physical.push(file);
        Ok(file)
    }

    fn add(&mut self, path: &Path, text: String) -> Result<FileId, Rejected> {
        let added = self.sources.add(&path.display().to_string(), text);
        added.map_err(|error| self.reject(path, &error.to_string()))
    }

    fn reject(&mut self, path: &Path, message: &str) -> Rejected {
        self.reporter.say(Severity::Error, &path.display().to_string(), message);
        Rejected
    }

    /// Rejects a text that is not in the source map yet; the diagnostic is told the offset of its first byte.
    fn reject_at(&mut self, path: &Path, text: String, diagnostic: impl FnOnce(u32) -> Diagnostic) -> Rejected {
        if let Ok(file) = self.add(path, text) {
            let diagnostic = diagnostic(self.sources.base(file));
            self.reporter.show(&self.sources, &[diagnostic]);
        }
        Rejected
    }
}

/// Whether a file is a task file, by its name.
pub fn is_task(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("yml" | "yaml"))
}

/// Offset of the first directive that looks like `#include`, or 0.
fn find_include(text: &str) -> usize {
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start();
        if directive.strip_prefix('#').is_some_and(|d| d.trim_start().starts_with("include")) {
            return line_start + line.len() - directive.len();
        }
        line_start += line.len();
    }
    0
}

/// The text of a file.
pub fn read_text(path: &Path) -> io::Result<String> {
    read_bytes(path).map(text::decode)
}

/// Whether a name stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// All bytes of a file, but no more than a [`SourceMap`] can take, so that an endless device does not fill the memory.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(u64::from(u32::MAX)).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    File::open(path)?.take(u64::from(u32::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
