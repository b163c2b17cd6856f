//! No two ways to check a program contradict each other: `auto`, `auto` without slices, and single engines, each in a process of its own. What one of
//! them leaves open is no contradiction, so that a busy machine changes nothing.
//!
//! Executions that leave the rules of C count as ended (`--undefined ends`): it is there that an engine, a slice and the replay may disagree about
//! what ends. `ROBUSTO_CORPUS` names a folder with families of public tasks, which are compared as well if it is set.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use support::Folder;

/// What is compared.
const WAYS: [&str; 6] =
    ["", "--slice none", "--analysis bmc", "--analysis kind", "--analysis predicate", "--analysis test"];

/// Folders of the tasks at the border that are about memory, and where pointers come from.
const FOLDERS: [&str; 4] = ["address", "external", "outside", "undefined"];

/// Random programs.
const PROGRAMS: u64 = 40;

/// The answers to a question that are none of `true` and `false` left out.
fn answers(folder: &Folder, question: &str, file: &str, timeout: &str) -> Vec<(&'static str, bool)> {
    let mut found = Vec::new();
    for way in WAYS {
        let options = format!("check --undefined ends --timeout {timeout} --certify never {question} {way}");
        let mut args: Vec<&str> = options.split_whitespace().collect();
        args.push(file);
        match folder.run(&args).code {
            Some(0) => found.push((way, true)),
            Some(10) => found.push((way, false)),
            _ => {}
        }
    }
    found
}

/// Compares the answers to questions about files; what contradicts.
fn contradictions(folder: &Folder, questions: &[(String, PathBuf)], timeout: &str) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some((question, file)) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let answers = answers(folder, question, &file.display().to_string(), timeout);
            let way = |wanted: bool| answers.iter().find(|(_, answer)| *answer == wanted).map(|(way, _)| *way);
            if let (Some(yes), Some(no)) = (way(true), way(false)) {
                let text = format!("{} {question}: true with `{yes}`, false with `{no}`", file.display());
                found.lock().expect("no thread panics").push(text);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().expect("no thread panics");
    found.sort();
    found
}

/// Files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    found.sort();
    found
}

#[test]
fn tasks_at_the_border() {
    let compiler = support::has_compiler();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/border");
    // What C leaves open may have several answers.
    let is_open = |file: &PathBuf| fs::read_to_string(file.with_extension("yml")).expect("a task").contains("assumed");
    let readable = |file: &PathBuf| compiler || !fs::read_to_string(file).expect("text").contains("#include");
    let all =
        FOLDERS.iter().flat_map(|folder| files(&root.join(folder), "c")).filter(readable).filter(|file| !is_open(file));
    let questions: Vec<(String, PathBuf)> = all.map(|file| ("--property unreach-call".to_owned(), file)).collect();
    assert!(questions.len() > 50, "only {}", questions.len());
    let found = contradictions(&Folder::new("agree-border"), &questions, "2s");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn random_programs() {
    let folder = Folder::new("agree-random");
    let model = |seed: u64| if seed.is_multiple_of(2) { "lp64" } else { "ilp32" };
    let questions: Vec<(String, PathBuf)> = (0..PROGRAMS)
        .map(|seed| {
            let name = format!("{seed}.c");
            folder.write(&name, program(seed));
            (format!("--property unreach-call --data-model {}", model(seed)), folder.path(&name))
        })
        .collect();
    let found = contradictions(&folder, &questions, "2s");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_public_tasks() {
    let Some(corpus) = std::env::var_os("ROBUSTO_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: ROBUSTO_CORPUS names no folder with the public tasks");
        return;
    };
    let families = fs::read_dir(&corpus).expect("a folder").map(|entry| entry.expect("a family").path());
    let mut families: Vec<PathBuf> = families.filter(|path| path.is_dir()).collect();
    families.sort();
    let tasks = families.iter().flat_map(|family| files(family, "yml"));
    let is_c = |task: &PathBuf| !fs::read_to_string(task).expect("text").contains("boolean");
    let questions: Vec<(String, PathBuf)> = tasks.filter(is_c).map(|task| (String::new(), task)).collect();
    let found = contradictions(&Folder::new("agree-corpus"), &questions, "10s");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Pseudo-random numbers: Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8(14), 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// A program that reads and writes through pointers that were set, or never were, or are null, and has an error behind a comparison.
fn program(seed: u64) -> String {
    let mut random = Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut text = String::from(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void free(void *);
struct node { struct node *next; int value; int a[2]; };
struct node kept;
int main(void) {
  struct node here, *p = &kept, *q, *r = 0;
  struct node *links[2];
  int x = __VERIFIER_nondet_int(), y = 0;
",
    );
    for _ in 0..4 + random.below(6) {
        let pointer = ["p", "q", "r", "links[0]", "links[1]", "p->next", "q->next"][random.below(7) as usize];
        let other = ["p", "q", "r", "&here", "&kept", "links[x & 1]", "p->next"][random.below(7) as usize];
        let number = random.below(5);
        let _ = match random.below(9) {
            0 => writeln!(text, "  {pointer} = malloc(sizeof(struct node));"),
            1 => writeln!(text, "  {pointer} = calloc(1, sizeof(struct node));"),
            2 | 3 => writeln!(text, "  {pointer} = {other};"),
            4 => writeln!(text, "  {pointer}->value = x + {number};"),
            5 => writeln!(text, "  if (x > {number}) {{ {pointer} = {other}; y++; }}"),
            6 => writeln!(text, "  y += {pointer}->value;"),
            7 => writeln!(text, "  {pointer}->a[x & {}] = y;", random.below(4)),
            _ => writeln!(text, "  if ({pointer} == {other}) y = {number};"),
        };
    }
    let _ = writeln!(text, "  if (y == {}) reach_error();\n  return 0;\n}}", random.below(4));
    text
}
