//! Reads arbitrary text as a certificate, and as the formulas of one: it must end, with an error or with a check of a small
//! program that can be violated, and must not be accepted for that.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robusto_boolprog::{Dialect, Program, Question, Targets, certify, lower, parse};
use robusto_limits::Limits;
use robusto_syntax::SourceMap;
use robusto_verdict::Certificate;
use robusto_verdict::certificate::{Entry, Summary, text};

/// The assertion can fail.
const PROGRAM: &str = "decl a, b;
    void main() begin decl c; a := *; while b do c := f(a); b := c; od assert(a | b); end
    bool f(p) begin if * then a := f(!p); fi return p & a; end";

fuzz_target!(|data: &[u8]| {
    let all = String::from_utf8_lossy(data);
    let program = program();
    if let Ok((subject, certificate)) = text::read(&all) {
        let written = text::write(&subject, &certificate);
        assert_eq!(text::read(&written), Ok((subject, certificate.clone())));
        refuse(&program, &certificate);
    }
    let mut lines = all.lines().map(str::to_owned);
    let mut next = || lines.next().unwrap_or_else(|| "true".to_owned());
    let procedures = ["0:main", "1:f"];
    let procedures = procedures.map(|name| Summary { function: name.to_owned(), pre: next(), post: next() }).into();
    let entries = (0..program.procedures[0].outgoing.len() as u32).map(|location| Entry {
        calls: Vec::new(),
        function: "0:main".to_owned(),
        location,
        formula: next(),
    });
    refuse(&program, &Certificate::Summaries { procedures, entries: entries.collect() });
});

fn refuse(program: &Program, certificate: &Certificate) {
    let targets = Targets::new(program, &Question::Assert);
    assert!(certify::check(program, &targets, certificate, &Limits::none()).is_err(), "the assertion can fail");
}

fn program() -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("fuzz.bp", PROGRAM.to_owned()).expect("a small file");
    let (file, _) = parse(&sources, id, Dialect::Satabs).expect("it is right");
    lower(&file, &sources).expect("it is right")
}
