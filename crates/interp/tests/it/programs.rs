//! Executes each program of `tests/programs` under both data models and compares what it prints with what gcc's
//! program printed: `name.out`, or `name.ilp32.out` where 32-bit pointers make a difference.
//!
//! `ROBUSTO_BLESS=1 cargo test -p robusto-interp --test programs` writes the expected outputs anew, with gcc.

use crate::support::{run, run_observed, try_compile};
use robusto_cfa::ir::{DataModel, FuncId};
use robusto_interp::inputs::Zeros;
use robusto_interp::{Change, Config, EdgeRef, Observer, Outcome, View};
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// `__int128` exists with 64-bit pointers only.
fn has(model: DataModel, text: &str) -> bool {
    model == DataModel::Lp64 || !text.contains("__int128")
}

fn expected_path(program: &Path, model: DataModel) -> PathBuf {
    let narrow = program.with_extension("ilp32.out");
    if model == DataModel::Ilp32 && narrow.exists() { narrow } else { program.with_extension("out") }
}

/// Standard output, and the exit status unless it is 0.
fn transcript(mut output: String, status: i32) -> String {
    if status != 0 {
        output.push_str(&format!("[exit {status}]\n"));
    }
    output
}

fn ours(program: &Path, model: DataModel) -> String {
    let text = std::fs::read_to_string(program).expect("the program can be read");
    let compiled = match try_compile(&program.display().to_string(), &text, model) {
        Ok(compiled) => compiled,
        Err(messages) => return messages,
    };
    let run = run(&compiled, &mut Zeros, Config { max_steps: Some(200_000_000), ..Config::default() });
    match run.outcome {
        Outcome::Exited(status) => transcript(run.output, status),
        _ => format!("{}[{}]\n", run.output, run.description),
    }
}

/// What gcc's program prints; `None` if there is no gcc for the model.
fn by_gcc(program: &Path, model: DataModel) -> Option<String> {
    let name = program.file_stem().expect("it has a name").to_string_lossy();
    let binary = std::env::temp_dir().join(format!("robusto-{}-{name}-{model}", std::process::id()));
    // Without x87, whose extra precision shows.
    let flags: &[&str] = if model == DataModel::Ilp32 { &["-m32", "-msse2", "-mfpmath=sse"] } else { &["-m64"] };
    let mut gcc = Command::new("gcc");
    let compile = gcc.args(flags).args(["-std=gnu11", "-w", "-o"]).arg(&binary).arg(program).arg("-lm");
    if !compile.output().ok()?.status.success() {
        return None;
    }
    let run = Command::new(&binary).output().ok()?;
    std::fs::remove_file(binary).ok()?;
    Some(transcript(String::from_utf8_lossy(&run.stdout).into_owned(), run.status.code()?))
}

/// All of them, so that one run shows every difference.
fn check(model: DataModel, actual: impl Fn(&Path) -> Option<String>) {
    let mut failures = Vec::new();
    for program in programs() {
        let text = std::fs::read_to_string(&program).expect("the program can be read");
        if !has(model, &text) {
            continue;
        }
        let expected = std::fs::read_to_string(expected_path(&program, model)).expect("an expected output");
        let Some(actual) = actual(&program) else { return };
        if actual != expected {
            let line = expected.lines().zip(actual.lines()).take_while(|(e, a)| e == a).count();
            let (e, a) = (expected.lines().nth(line).unwrap_or("(end)"), actual.lines().nth(line).unwrap_or("(end)"));
            failures.push(format!("{}:\n  line {}: expected {e}\n  but got {a}", program.display(), line + 1));
        }
    }
    assert!(failures.is_empty(), "{model}: {} programs differ\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn lp64() {
    check(DataModel::Lp64, |program| Some(ours(program, DataModel::Lp64)));
}

#[test]
fn ilp32() {
    check(DataModel::Ilp32, |program| Some(ours(program, DataModel::Ilp32)));
}

/// The expected outputs are gcc's; where there is no gcc, they are taken on trust.
#[test]
fn gcc() {
    let bless = std::env::var_os("ROBUSTO_BLESS").is_some();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if !bless {
            check(model, |program| {
                // Complex numbers are divided by a function of libgcc, which uses x87 under ILP32 whatever the flags say.
                let by_x87 = model == DataModel::Ilp32 && program.ends_with("complex.c");
                if by_x87 {
                    std::fs::read_to_string(expected_path(program, model)).ok()
                } else {
                    by_gcc(program, model)
                }
            });
            continue;
        }
        for program in programs() {
            let text = std::fs::read_to_string(&program).expect("the program can be read");
            let Some(output) = has(model, &text).then(|| by_gcc(&program, model)).flatten() else { continue };
            let wide = std::fs::read_to_string(program.with_extension("out")).unwrap_or_default();
            match model {
                DataModel::Lp64 => std::fs::write(program.with_extension("out"), output),
                DataModel::Ilp32 if output != wide => std::fs::write(program.with_extension("ilp32.out"), output),
                DataModel::Ilp32 => Ok(()),
            }
            .expect("it can be written");
        }
    }
}

/// Counts the steps and what they change.
#[derive(Default)]
struct Counter {
    steps: u64,
    vars: u64,
    writes: u64,
    depth: usize,
}

impl Observer for &mut Counter {
    fn step(&mut self, view: &View<'_>, _: EdgeRef, change: Change) {
        self.steps += 1;
        assert_eq!(view.steps, self.steps);
        match change {
            Change::None => {}
            Change::Var(var) => {
                assert!(view.var(var).is_some(), "the changed variable can be seen");
                self.vars += 1;
            }
            Change::Memory { addr, size } => {
                assert!(view.memory.bytes(addr, size).is_some(), "the changed bytes can be seen");
                self.writes += 1;
            }
        }
    }

    fn call(&mut self, view: &View<'_>, _: FuncId) {
        self.depth = self.depth.max(view.depth);
    }
}

/// Observation changes nothing, and neither does a detour through the text form.
#[test]
fn observed_and_from_text() {
    for file in programs() {
        let text = std::fs::read_to_string(&file).expect("the program can be read");
        let name = file.display().to_string();
        let program = try_compile(&name, &text, DataModel::Lp64).expect("it compiles");
        let plain = run(&program, &mut Zeros, Config::default());
        let mut counter = Counter::default();
        let observed = run_observed(&program, &mut Zeros, Config::default(), &mut counter);
        assert_eq!((&plain.outcome, &plain.output, plain.steps), (&observed.outcome, &observed.output, observed.steps));
        assert!(counter.vars > 0 && counter.writes + counter.vars < plain.steps, "{name}");
        let again = robusto_cfa::text::parse(&robusto_cfa::text::print(&program)).expect("it reads what it prints");
        let reread = run(&again, &mut Zeros, Config::default());
        assert_eq!(
            (&plain.outcome, &plain.output, plain.steps),
            (&reread.outcome, &reread.output, reread.steps),
            "{name}"
        );
    }
}
