//! Drives the real binary in a folder of its own.

#![allow(dead_code, reason = "each test crate uses its part")]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No single run in these tests may take longer, on a machine however busy.
const LIMIT: Duration = Duration::from_secs(900);

/// A folder for the files of one test.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder; the name must be unique among all tests.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        fs::write(path, content).expect("the file can be written");
        self
    }

    /// Runs `robusto` in the folder.
    pub fn run(&self, args: &[&str]) -> Outcome {
        finish(self.command(args).spawn().expect("the binary starts"))
    }

    /// The command for `robusto` in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robusto"));
        command.args(args).current_dir(&self.0).env_remove("RUST_BACKTRACE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// Fails unless the exit code is this one.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", head(&self.stdout), head(&self.stderr));
        self
    }

    /// Fails unless standard error contains the text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "{text:?} is not in:\n{}", head(&self.stderr));
        self
    }

    /// Fails unless standard output contains the text.
    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "{text:?} is not in:\n{}", head(&self.stdout));
        self
    }

    /// Fails unless this is a rejection with a place (`file:line:column: error: `) and a closing line.
    #[track_caller]
    pub fn rejects(self, file: &str) -> Self {
        let outcome = self.expect(2);
        let located = outcome.stderr.lines().any(|line| {
            let rest = line.strip_prefix(file).and_then(|rest| rest.strip_prefix(':'));
            let fields: Vec<&str> = rest.unwrap_or("").splitn(4, ':').collect();
            matches!(fields[..], [line, column, " error" | " fatal error", _] if line.parse::<u32>().is_ok() && column.parse::<u32>().is_ok())
        });
        assert!(located, "no place in {file} in:\n{}", head(&outcome.stderr));
        let last = outcome.stderr.lines().last().unwrap_or("");
        assert!(last.contains(" error"), "no closing line in:\n{}", head(&outcome.stderr));
        assert_eq!(outcome.stdout, "");
        outcome
    }
}

fn head(text: &str) -> String {
    text.chars().take(4000).collect()
}

/// Waits until something holds. It fails if that takes too long.
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Interrupts a run that was started with `-v`, once it says something on standard error. Gives what it said until then.
#[cfg(unix)]
pub fn interrupt(child: &mut Child, is_due: impl Fn(&str) -> bool) -> String {
    use std::io::{BufRead as _, BufReader};
    let mut lines = BufReader::new(child.stderr.take().expect("it is captured")).lines();
    let mut said = String::new();
    for line in lines.by_ref().map_while(Result::ok) {
        said += &line;
        said += "\n";
        if is_due(&line) {
            break;
        }
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|s| s.success()), "kill works");
    // It goes on talking, and must not wait for a reader.
    thread::spawn(move || lines.for_each(drop));
    said
}

/// Waits for a run, and ends it if it takes too long.
pub fn finish(mut child: Child) -> Outcome {
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("the process can be ended");
            panic!("no answer within {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().expect("the output is read")).into_owned()
    };
    Outcome { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).expect("the pipe can be read");
        }
        bytes
    })
}

/// Whether a C compiler is there; a test that needs one is skipped with a message otherwise.
pub fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: there is no C compiler");
    }
    found
}

/// Takes longer than any test waits: asks for the factors of a product of two primes of 31 bits.
pub const ENDLESS: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
int main() { unsigned long long x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
unsigned n = __VERIFIER_nondet_uint(); while (n--) { if (n == y) x++; }
if (x > 1 && y > 1 && x * y == 4611685975477714963ull) reach_error(); }";
