//! The system's C compiler as a preprocessor (`cc -E`).

use robusto_cfa::ir::DataModel;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A C compiler and what to tell it.
pub struct Compiler<'a> {
    /// A name looked up on the PATH, or a path, and arguments.
    pub program: &'a [String],
    /// What else it is told.
    pub flags: &'a [OsString],
    /// The text, if that is no file.
    pub typed: Option<&'a str>,
    /// Sizes of C's types.
    pub model: DataModel,
}

/// What came of preprocessing.
pub enum Preprocessed {
    /// It worked.
    Text {
        /// The preprocessed text.
        text: Vec<u8>,
        /// Warnings of the compiler.
        remarks: Vec<u8>,
        /// The 32-bit headers are missing, and those of the machine were read as if they were.
        borrowed_headers: bool,
    },
    /// The compiler found errors; this is what it said.
    Failed(Vec<u8>),
}

impl Compiler<'_> {
    /// Preprocesses a file.
    pub fn preprocess(&self, file: &Path) -> io::Result<Preprocessed> {
        let option = match self.model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        };
        let first = self.run(file, &[option])?;
        if first.status.success() {
            return Ok(Preprocessed::Text { text: first.stdout, remarks: first.stderr, borrowed_headers: false });
        }
        // Either the file is wrong, or the compiler cannot be asked that way.
        let (second, borrowed_headers) = match self.model {
            DataModel::Ilp32 => (self.run_with_borrowed_headers(file)?, true),
            // A compiler for another machine with 64 bits does not know `-m64`.
            DataModel::Lp64 => (self.run::<&str>(file, &[])?, false),
        };
        Ok(match second.status.success() {
            true => Preprocessed::Text { text: second.stdout, remarks: second.stderr, borrowed_headers },
            false => Preprocessed::Failed(second.stderr),
        })
    }

    fn run<S: AsRef<OsStr>>(&self, file: &Path, extra: &[S]) -> io::Result<Output> {
        let mut command = Command::new(&self.program[0]);
        command.args(&self.program[1..]);
        // The first error ends it: a header that includes itself twice takes gcc 2^200 steps to report otherwise.
        command.args(["-E", "-Wfatal-errors"]).args(extra).args(self.flags).args(["-x", "c"]);
        if let Some(text) = self.typed {
            return feed(command.arg("-"), text);
        }
        match file.as_os_str().as_encoded_bytes().starts_with(b"-") {
            true => command.arg(Path::new(".").join(file)),
            false => command.arg(file),
        };
        command.stdin(Stdio::null()).output()
    }

    /// Reads the headers of a 64-bit machine as if it had 32 bits. glibc's headers serve both and ask the predefined
    /// macros which; only `gnu/stubs-32.h`, a list of functions that do nothing, is not installed, so an empty one is
    /// put in its place.
    fn run_with_borrowed_headers(&self, file: &Path) -> io::Result<Output> {
        let stubs = TempFolder::new()?;
        fs::create_dir(stubs.0.join("gnu"))?;
        fs::write(stubs.0.join("gnu/stubs-32.h"), "")?;
        let mut extra = vec!["-idirafter".into(), stubs.0.clone().into_os_string()];
        for name in MACROS_OF_LP64 {
            extra.push(format!("-U{name}").into());
        }
        for (name, value) in MACROS_OF_ILP32 {
            let bare = name.trim_end_matches("(c)");
            extra.push(format!("-U{bare}").into());
            extra.push(format!("-D{name}={value}").into());
        }
        self.run(file, &extra)
    }
}

/// Runs a process that reads a text.
fn feed(command: &mut Command, text: &str) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // It may answer before it has read all. That it does not want to read is no error.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
        child.wait_with_output()
    })
}

/// Predefined by gcc for x86 with 64 bits only.
const MACROS_OF_LP64: &[&str] =
    &["__LP64__", "_LP64", "__x86_64__", "__x86_64", "__amd64__", "__amd64", "__SIZEOF_INT128__"];

/// Predefined by gcc for x86 with 32 bits, where the value differs from that for 64 bits.
const MACROS_OF_ILP32: &[(&str, &str)] = &[
    ("__i386__", "1"),
    ("__i386", "1"),
    ("__ILP32__", "1"),
    ("_ILP32", "1"),
    ("__INT64_C(c)", "c##LL"),
    ("__INT64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT64_TYPE__", "long long int"),
    ("__INTMAX_C(c)", "c##LL"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffLL"),
    ("__INTMAX_TYPE__", "long long int"),
    ("__INTPTR_MAX__", "0x7fffffff"),
    ("__INTPTR_TYPE__", "int"),
    ("__INTPTR_WIDTH__", "32"),
    ("__INT_FAST16_MAX__", "0x7fffffff"),
    ("__INT_FAST16_TYPE__", "int"),
    ("__INT_FAST16_WIDTH__", "32"),
    ("__INT_FAST32_MAX__", "0x7fffffff"),
    ("__INT_FAST32_TYPE__", "int"),
    ("__INT_FAST32_WIDTH__", "32"),
    ("__INT_FAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT_FAST64_TYPE__", "long long int"),
    ("__INT_LEAST64_MAX__", "0x7fffffffffffffffLL"),
    ("__INT_LEAST64_TYPE__", "long long int"),
    ("__LONG_MAX__", "0x7fffffffL"),
    ("__LONG_WIDTH__", "32"),
    ("__PTRDIFF_MAX__", "0x7fffffff"),
    ("__PTRDIFF_TYPE__", "int"),
    ("__PTRDIFF_WIDTH__", "32"),
    ("__SIZEOF_FLOAT80__", "12"),
    ("__SIZEOF_LONG_DOUBLE__", "12"),
    ("__SIZEOF_LONG__", "4"),
    ("__SIZEOF_POINTER__", "4"),
    ("__SIZEOF_PTRDIFF_T__", "4"),
    ("__SIZEOF_SIZE_T__", "4"),
    ("__SIZE_MAX__", "0xffffffffU"),
    ("__SIZE_TYPE__", "unsigned int"),
    ("__SIZE_WIDTH__", "32"),
    ("__UINT64_C(c)", "c##ULL"),
    ("__UINT64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT64_TYPE__", "long long unsigned int"),
    ("__UINTMAX_C(c)", "c##ULL"),
    ("__UINTMAX_MAX__", "0xffffffffffffffffULL"),
    ("__UINTMAX_TYPE__", "long long unsigned int"),
    ("__UINTPTR_MAX__", "0xffffffffU"),
    ("__UINTPTR_TYPE__", "unsigned int"),
    ("__UINT_FAST16_MAX__", "0xffffffffU"),
    ("__UINT_FAST16_TYPE__", "unsigned int"),
    ("__UINT_FAST32_MAX__", "0xffffffffU"),
    ("__UINT_FAST32_TYPE__", "unsigned int"),
    ("__UINT_FAST64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT_FAST64_TYPE__", "long long unsigned int"),
    ("__UINT_LEAST64_MAX__", "0xffffffffffffffffULL"),
    ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
    ("__WCHAR_MAX__", "0x7fffffffL"),
    ("__WCHAR_TYPE__", "long int"),
];

/// A folder of our own that is gone when this is dropped.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new() -> io::Result<Self> {
        let mut attempt = 0;
        loop {
            let name = format!("robusto-headers-{}-{attempt}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            // `create_dir` fails if the name exists, so nobody else's folder is used.
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self(folder)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
