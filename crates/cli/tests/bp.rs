//! `robusto bp`, from the command line.

mod support;

use support::Folder;

const COUNTER: &str = "decl a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t;
void main() begin
  a, b, c, d, e, f, g, h, i, j := F, F, F, F, F, F, F, F, F, F;
  k, l, m, n, o, p, q, r, s, t := F, F, F, F, F, F, F, F, F, F;
  while T do
    t := t ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q & r & s);
    s := s ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q & r);
    r := r ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q);
    q := q ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p);
    p := p ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n & o);
    o := o ^ (a & b & c & d & e & f & g & h & i & j & k & l & m & n);
    n := n ^ (a & b & c & d & e & f & g & h & i & j & k & l & m);
    m := m ^ (a & b & c & d & e & f & g & h & i & j & k & l);
    l := l ^ (a & b & c & d & e & f & g & h & i & j & k);
    k := k ^ (a & b & c & d & e & f & g & h & i & j);
    j := j ^ (a & b & c & d & e & f & g & h & i);
    i := i ^ (a & b & c & d & e & f & g & h);
    h := h ^ (a & b & c & d & e & f & g);
    g := g ^ (a & b & c & d & e & f);
    f := f ^ (a & b & c & d & e);
    e := e ^ (a & b & c & d);
    d := d ^ (a & b & c);
    c := c ^ (a & b);
    b := b ^ a;
    a := !a;
    assert(!(a & b & c & d & e & f & g & h & i & j & k & l & m & n & o & p & q & r & s & t));
  od
end
";

#[test]
fn verdicts() {
    let folder = Folder::new("bp_verdicts");
    folder.write("true.bp", "decl g; void main() begin g := T; assert(g); end\n");
    folder.write("false.bp", "decl g;\nvoid main() begin\n  g := *;\n  assert(g);\nend\n");
    folder.write("count.bp", COUNTER);
    for engine in ["auto", "explicit", "bdd", "qbf", "universal"] {
        let outcome = folder.run(&["bp", "--engine", engine, "true.bp"]).expect(0);
        let outcome = outcome.prints("certified: yes (");
        assert_eq!(outcome.stdout.lines().last(), Some("RESULT: true"));
        let outcome = folder.run(&["bp", "--engine", engine, "false.bp"]).expect(10);
        let outcome = outcome.prints("false.bp:4:3: error: assertion in line 4 [assert]").prints("g = F");
        assert_eq!(outcome.stdout.lines().last(), Some("RESULT: false(assert)"));
    }
    let outcome = folder.run(&["bp", "--engine", "explicit", "--timeout", "200ms", "count.bp"]).expect(5);
    outcome.prints("RESULT: unknown(timeout)");
    folder.run(&["bp", "--engine", "sat", "true.bp"]).expect(1).says("there is no engine `sat`");
}

/// A chosen solver of quantified formulas is asked; if it is not there, that is said.
#[test]
fn depqbf() {
    let folder = Folder::new("bp_depqbf");
    folder.write("p.bp", "decl a, b; void main() begin a := F; while T do a := b; b := *; assert(a | T); od end\n");
    let args = ["bp", "--engine", "qbf", "--qbf", "depqbf", "-v", "p.bp"];
    if std::process::Command::new("depqbf").arg("--version").output().is_err() {
        eprintln!("skipped: depqbf is not installed (Debian: apt-get install depqbf)");
        folder.run(&args).expect(1).says("depqbf cannot be started");
        return;
    }
    folder.run(&args).expect(0).prints("RESULT: true");
    folder.run(&["bp", "--engine", "universal", "--threshold", "1", "--qbf", "depqbf", "p.bp"]).expect(0);
    folder.run(&["bp", "--engine", "bdd", "--qbf", "z3", "p.bp"]).expect(1).says("z3");
}

#[test]
fn labels() {
    let folder = Folder::new("bp_labels");
    folder.write("p.bp", "decl g; void main() begin g := F; if g then NO: skip; fi YES: assert(F); end\n");
    folder.run(&["bp", "--target", "NO", "p.bp"]).expect(0).prints("RESULT: true");
    folder.run(&["bp", "--target", "YES", "p.bp"]).expect(10).prints("RESULT: false(label:YES)");
    folder.run(&["bp", "--target", "OTHER", "p.bp"]).expect(2).says("p.bp: error: there is no label `OTHER`");
}

#[test]
fn no_main() {
    let folder = Folder::new("bp_no_main");
    folder.write("p.bp", "void f() begin assert(F); end\n");
    folder.run(&["bp", "p.bp"]).expect(5).prints("RESULT: unknown(no main)");
}

#[test]
fn bad_programs() {
    let folder = Folder::new("bp_bad");
    let deep = format!("void main() begin assume({}T{}); end", "(".repeat(100_000), ")".repeat(100_000));
    let blocks = format!("void main() begin {}", "while T do ".repeat(100_000));
    let table: [(&str, &str, &str); 10] = [
        ("label.bp", "void main() begin\n  goto L;\nend\n", "label.bp:2:8"),
        ("arity.bp", "void f(a) begin end\nvoid main() begin\n  f(T, F);\nend\n", "arity.bp:3:3"),
        ("variable.bp", "void main() begin\n  x := T;\nend\n", "variable.bp:2:3"),
        ("twice.bp", "void main() begin end\nvoid main() begin end\n", "twice.bp:2:6"),
        ("cut.bp", "void main() begin\n  assume(T", "cut.bp:2:11"),
        ("empty.bp", "", "empty.bp:1:1"),
        ("deep.bp", &deep, "nested more than 10000 levels"),
        ("blocks.bp", &blocks, "nested more than 500 levels"),
        ("thread.bp", "void main() begin start_thread goto L; L: skip; end", "threads are not supported"),
        ("c.bp", "int main(void) { return 0; }", "c.bp:1:1"),
    ];
    for (name, text, says) in table {
        folder.write(name, text);
        folder.run(&["bp", name]).rejects(name).says(says);
        folder.run(&["bp", "--print", name]).rejects(name).says(says);
    }
    folder.write("zeros.bp", [0; 100]).run(&["bp", "zeros.bp"]).rejects("zeros.bp");
    folder.run(&["bp", "absent.bp"]).expect(2).says("absent.bp: error: cannot read the file");
}

#[test]
fn printing_settles_precedence() {
    let folder = Folder::new("bp_print");
    folder.write("p.bp", "decl a, b, c; void main() begin a := T; b := F; c := T; assert(a = b | c); end\n");
    folder.run(&["bp", "p.bp"]).expect(0).says("p.bp:1:66: warning: tools group `=` and `|` differently");
    folder.run(&["bp", "--dialect", "getafix", "p.bp"]).expect(0).says("here as getafix does");
    let printed = folder.run(&["bp", "--print", "--dialect", "slam", "p.bp"]).expect(0);
    assert!(printed.stdout.contains("assert((a = b) | c);"), "{}", printed.stdout);
    folder.write("q.bp", &printed.stdout);
    let again = folder.run(&["bp", "--print", "q.bp"]).expect(0);
    assert_eq!((again.stdout, &*again.stderr), (printed.stdout, ""));
}

#[test]
fn automata_are_drawn() {
    let folder = Folder::new("bp_draw");
    folder
        .write("p.bp", "decl g; void f(x) begin L: while x do g := *; od end void main() begin f(g); assert(g); end\n");
    let dot = folder.run(&["bp", "--format", "dot", "p.bp"]).expect(0);
    let dot = dot.prints("digraph").prints("f(x)").prints("L:").prints("[!(x)]").prints("assert(g) fails");
    assert_eq!(dot.stderr, "");
    folder.run(&["bp", "--format", "svg", "-o", "p.svg", "p.bp"]).expect(0);
    let svg = std::fs::read_to_string(folder.path("p.svg")).expect("the picture");
    assert!(svg.contains("<svg") && svg.contains("f(g)"), "{svg}");
}

#[test]
fn json() {
    let folder = Folder::new("bp_json");
    folder.write("p.bp", "decl g;\nvoid main() begin\n  assert(g);\nend\n").write("bad.bp", "void\n");
    folder.run(&["bp", "--json", "p.json", "p.bp"]).expect(10);
    let text = std::fs::read_to_string(folder.path("p.json")).expect("the document");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["result"]["verdict"], "false");
    assert_eq!(document["property"], "assert");
    assert_eq!(document["exit_code"], 10);
    assert_eq!(document["findings"][0]["location"]["line"], 3);
    let trace = &document["findings"][0]["counterexample"]["trace"];
    assert_eq!((&trace[0]["kind"], &trace[0]["value"]), (&"uninitialised".into(), &"F".into()));
    folder.run(&["bp", "--json", "bad.json", "bad.bp"]).expect(2);
    let text = std::fs::read_to_string(folder.path("bad.json")).expect("the document");
    assert!(text.contains("\"verdict\": \"error\""), "{text}");
}

#[test]
fn examples() {
    let folder = Folder::new("bp_examples");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    folder.run(&["bp", &format!("{examples}lock.bp")]).expect(0);
    folder.run(&["bp", &format!("{examples}relock.bp")]).expect(10).prints("← error");
}

#[test]
fn certificates() {
    let folder = Folder::new("bp_certificates");
    let loops = "decl g; void main() begin g := T; while * do f(); od assert(g); NO: skip; end\n";
    folder.write("p.bp", format!("{loops}void f() begin if * then g := !g; f(); g := !g; fi end\n"));
    folder.write("q.bp", format!("{loops}void f() begin if * then g := !g; f(); fi end\n"));
    folder.write("unreached.bp", "void main() begin assume(F); NO: skip; end");
    for engine in ["explicit", "bdd"] {
        folder.run(&["bp", "--engine", engine, "--certificate", "p.cert", "p.bp"]).expect(0).prints("certified: yes (");
        folder.run(&["certify", "p.bp", "p.cert"]).expect(0).prints("CERTIFICATE: accepted");
    }
    let outcome = folder.run(&["certify", "--property", "label:NO", "p.bp", "p.cert"]).expect(10);
    outcome.prints("CERTIFICATE: rejected (it is about another property");
    folder.run(&["certify", "q.bp", "p.cert"]).expect(10).prints("it is about another program");
    folder
        .run(&["certify", "--property", "no-overflow", "p.bp", "p.cert"])
        .expect(1)
        .says("no property of Boolean programs");
    folder.run(&["certify", "p.bp", "q.bp", "p.cert"]).expect(1).says("about one Boolean program");
    let right = std::fs::read_to_string(folder.path("p.cert")).expect("it was written");
    let (head, tail) = right.split_once("\nat 0:main ").expect("a loop head");
    let rest = tail.split_once('\n').and_then(|(_, rest)| rest.split_once('\n')).expect("a formula").1;
    folder.write("wrong.cert", format!("{head}\n{rest}"));
    folder.run(&["certify", "p.bp", "wrong.cert"]).expect(10).prints("has no relation");
    folder.write("wrong.cert", right.replace("end\n", ""));
    folder.run(&["certify", "p.bp", "wrong.cert"]).expect(2).says("`end` is missing");
    folder.run(&["bp", "--certify", "never", "p.bp"]).expect(0).prints("certified: no (not asked for)");
    folder.run(&["bp", "--certificate", "p.cert", "q.bp"]).expect(10).says("no certificate");
    assert!(!folder.path("p.cert").exists(), "it would be taken for a certificate of the last run");
    folder.run(&["bp", "--target", "NO", "--certificate", "l.cert", "unreached.bp"]).expect(0);
    folder.run(&["certify", "--property", "label:NO", "unreached.bp", "l.cert"]).expect(0);
}
