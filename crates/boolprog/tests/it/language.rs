//! What is read, what is refused, what is printed.

use crate::support::read;
use robusto_boolprog::program::{Formula, Op, Program, Term};
use robusto_boolprog::{Dialect, print};
use robusto_testing::{Random, thread_time};
use robusto_verdict::Place;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A formula whose terms stand for its structure: their order depends on where parentheses were.
fn structure(formula: &Formula) -> Formula {
    let number = formula.fold(|term, values: &[u64]| {
        let mut hasher = DefaultHasher::new();
        let operands: Vec<u32> = match term {
            Term::Not(inner) => vec![*inner],
            Term::And(list) | Term::Or(list) | Term::Xor(list) => list.to_vec(),
            Term::Ite(a, b, c) => vec![*a, *b, *c],
            Term::Const(_) | Term::Var(_) | Term::Next(_) | Term::Choice(_) => {
                format!("{term:?}").hash(&mut hasher);
                Vec::new()
            }
        };
        std::mem::discriminant(term).hash(&mut hasher);
        operands.iter().for_each(|&operand| values[operand as usize].hash(&mut hasher));
        Ok::<u64, Infallible>(hasher.finish())
    });
    let Ok(number) = number;
    Formula(Box::new([Term::Choice(number as u32), Term::Choice((number >> 32) as u32)]))
}

/// The automata without places, which differ between a text and its print.
fn bare(mut program: Program) -> Program {
    for edge in program.procedures.iter_mut().flat_map(|p| &mut p.edges) {
        match &mut edge.op {
            Op::Skip => {}
            Op::Assume(formula) => *formula = structure(formula),
            Op::Assign { values: list, constrain, .. } => {
                list.iter_mut().chain(constrain).for_each(|formula| *formula = structure(formula));
            }
            Op::Call { args: list, .. } | Op::Return(list) => {
                list.iter_mut().for_each(|formula| *formula = structure(formula));
            }
        }
    }
    program.globals.iter_mut().for_each(|v| v.place = Place::default());
    for procedure in &mut program.procedures {
        procedure.variables.iter_mut().for_each(|v| v.place = Place::default());
        procedure.labels.iter_mut().for_each(|l| l.place = Place::default());
        procedure.edges.iter_mut().for_each(|e| e.place = Place::default());
    }
    program
}

#[track_caller]
fn round_trip(text: &str, dialect: Dialect) -> String {
    let (file, program, _) = read(text, dialect).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&file);
    for other in Dialect::ALL {
        let (again, same, warnings) = read(&printed, other).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert_eq!(print(&again), printed);
        assert_eq!(warnings, Vec::<String>::new());
        assert_eq!(bare(same), bare(program.clone()), "{printed}");
    }
    printed
}

const EVERYTHING: &str = "
decl g, {x == 0}, h; // globals
decl k;
bool<2> pair(a, b) dfs begin
  decl l; enforce !(a & b); enforce T;
  l, g := schoose[a, !b], * constrain 'l = ('g | l);
  1: L: M: if (a) then skip; elsif b ^ l ^ g then goto 1, M else assume(*) fi
  while * do abortif(l); dead l, g; od
  print(a, b ? l : g ? T : F);
  dfs;
  return a => b, {x == 0} != 0;
end
bool one() begin return ~g & 1 end
void main() begin
  decl x, y;
  x, _ := pair(g, *);
  x := one();
  pair(x, y);
  assert x = y | F;
  E: end
";

#[test]
fn everything_is_read_and_printed() {
    let printed = round_trip(EVERYTHING, Dialect::Satabs);
    assert!(printed.contains("l, g := schoose[a, !b], * constrain 'l = ('g | l);"), "{printed}");
    assert!(printed.contains("elsif b ^ l ^ g then"), "{printed}");
    assert!(printed.contains("bool<2> pair(a, b) dfs begin"), "{printed}");
    round_trip(EVERYTHING, Dialect::Getafix);
}

#[test]
fn results_may_stand_in_parentheses() {
    let text = "bool<2> f(a) begin return (a, schoose[a, F]); end bool g(a) begin return (a) | (!a); end
                bool<2> h(a) begin return (a & a), (schoose[a, a]) end bool k(a) begin return (schoose[a, a]); end";
    let printed = round_trip(text, Dialect::default());
    for line in ["return a, schoose[a, F];", "return a | !a;", "return a & a, schoose[a, a];"] {
        assert!(printed.contains(line), "{printed}");
    }
}

#[track_caller]
fn reads(expression: &str, dialect: Dialect, expected: &str, warned: bool) {
    let text = format!("decl a, b, c, d; void main() begin assume({expression}); end");
    let (file, _, warnings) = read(&text, dialect).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&file);
    assert!(printed.contains(&format!("assume({expected});")), "{dialect}: {printed}");
    assert_eq!(!warnings.is_empty(), warned, "{dialect}: {expression}: {warnings:?}");
    round_trip(&text, dialect);
}

#[test]
fn dialects() {
    use Dialect::{Getafix, Satabs, Slam};
    reads("a = b | c", Satabs, "a = (b | c)", true);
    reads("a = b | c", Getafix, "(a = b) | c", true);
    reads("a = b | c", Slam, "(a = b) | c", true);
    reads("a ^ b | c", Satabs, "a ^ (b | c)", true);
    reads("a ^ b | c", Getafix, "(a ^ b) | c", true);
    reads("a => b = c", Getafix, "a => (b = c)", true);
    reads("a => b => c", Satabs, "a => (b => c)", true);
    for dialect in Dialect::ALL {
        reads("a | b & !c | d", dialect, "a | (b & !c) | d", false);
        reads("a & (b & c)", dialect, "a & (b & c)", false);
        reads("a ? b : c ? d : a", dialect, "a ? b : (c ? d : a)", false);
        reads("a | b ? c : d", dialect, "(a | b) ? c : d", false);
        reads("!!a & !(a | b)", dialect, "!!a & !(a | b)", false);
        reads("!(a ? b : c) | (T)", dialect, "!(a ? b : c) | T", false);
    }
}

#[track_caller]
fn refuses(text: &str, place: &str, message: &str) {
    let error = read(text, Dialect::default()).expect_err(text);
    assert!(error.starts_with(&format!("p.bp:{place}: error: ")), "{error}");
    assert!(error.contains(message), "{error}");
    assert!(error.contains('^'), "{error}");
}

#[test]
fn mistakes_have_a_place() {
    refuses("", "1:1", "no procedure");
    refuses("void main() begin goto L; end", "1:24", "there is no label `L`");
    refuses("void f(a) begin end\nvoid main() begin f(); end", "2:19", "`f` has 1 parameter, not 0");
    refuses("bool<2> f() begin return T, F; end void main() begin decl x; x := f(); end", "1:62", "2 results, not 1");
    refuses(
        "bool f() begin return T, F; end void main() begin end",
        "1:16",
        "2 values, but the procedure has 1 result",
    );
    refuses("bool f() begin return; end void main() begin end", "1:16", "returns 0 values");
    refuses("void main() begin x := T; end", "1:19", "`x` is not declared");
    refuses("void main() begin if x then skip; fi end", "1:22", "`x` is not declared");
    refuses("decl a; void main() begin a := T, F; end", "1:27", "2 values for 1 target");
    refuses("decl a; void main() begin a, a := T, F; end", "1:30", "assigned twice");
    refuses("void f() begin end void f() begin end", "1:25", "two procedures `f`");
    refuses("decl a, a; void f() begin end", "1:9", "two global variables `a`");
    refuses("void f(a) begin decl a; end", "1:22", "a parameter already");
    refuses("void f() begin L: skip; L: skip; end", "1:25", "two labels `L`");
    refuses("void main() begin g(); end", "1:19", "no procedure `g`");
    refuses("decl a; void main() begin assume('a); end", "1:34", "only behind `constrain`");
    refuses("decl a; void main() begin assume(f(a)); end", "1:34", "cannot be called inside");
    refuses("decl a; void main() begin a := _; end", "1:32", "`_` has no value");
    refuses("decl a; void main() begin decl b; skip; decl c; end", "1:41", "before the statements");
    refuses("void main() begin skip", "1:23", "expected `;`, found the end of the file");
    refuses("void main() begin while T do skip; end", "1:36", "expected a statement");
    refuses("void main() begin assume((T); end", "1:29", "expected `)`");
    refuses("void main() begin start_thread goto L; end", "1:19", "threads are not supported");
    refuses("void main() begin atomic_begin; end", "1:19", "threads are not supported");
    refuses("void main() begin skip skip; end", "1:24", "expected `;`");
    refuses("bool<99999999999> f() begin end", "1:6", "too many results");
}

#[test]
fn depth_is_limited() {
    let nested = |n: usize| format!("void main() begin assume({}T{}); end", "(".repeat(n), ")".repeat(n));
    refuses(&nested(100_000), "1:10025", "nested more than 10000 levels");
    assert!(read(&nested(9_000), Dialect::default()).is_ok());
    let negations = format!("void main() begin assume({}T); end", "!".repeat(100_000));
    round_trip(&negations, Dialect::default());
    let chain = format!("decl a; void main() begin assume(a{}); end", " & a".repeat(50_000));
    round_trip(&chain, Dialect::default());
    let blocks = |n: usize| format!("void main() begin {}skip;{} end", "if * then ".repeat(n), " fi".repeat(n));
    assert!(read(&blocks(100_000), Dialect::default()).unwrap_err().contains("nested more than 500 levels"));
    round_trip(&blocks(499), Dialect::default());
    let ternaries = format!("decl a; void main() begin assume({}a); end", "a ? a : ".repeat(100_000));
    assert!(read(&ternaries, Dialect::default()).unwrap_err().contains("nested more than"));
}

/// Cut off anywhere, a program is either fine or refused with a place.
#[test]
fn truncated_files() {
    for end in 0..EVERYTHING.len() {
        if let Err(error) = read(&EVERYTHING[..end], Dialect::default()) {
            assert!(error.starts_with("p.bp:"), "{error}");
        }
    }
}

/// Whatever is changed in a program, it is refused with a place, or read, and printed as what was read.
#[test]
fn mutations() {
    let pieces = ["(", ")", ":=", ";", "'", "*", "end", "fi", "{", "/*", "=", "_", "decl", "T", "L:", "\u{e9}", ","];
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut text = EVERYTHING.to_owned();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            let end = (at + random.below(6usize)).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                let piece = if random.one_in(2) { random.pick(&pieces) } else { "" };
                text.replace_range(at..end, piece);
            }
        }
        match read(&text, Dialect::default()) {
            Ok(_) => {
                round_trip(&text, Dialect::default());
            }
            Err(error) => assert!(error.starts_with("p.bp:"), "{error}"),
        }
    }
}

/// Globals cost where they are declared, not once more in each of 100 procedures: reading and translating takes about as long
/// with 500 of them as with 100.
#[test]
fn many_globals() {
    let program = |globals: usize| {
        let names: Vec<String> = (0..globals).map(|i| format!("g{i}")).collect();
        let mut text = format!("decl {};\n", names.join(", "));
        for procedure in 0..100 {
            text += &format!("void f{procedure}() begin\n");
            for i in 0..20 {
                text += &format!("g{} := g{} & !g{};\n", i % globals, (i * 7) % globals, (i * 3) % globals);
            }
            text += "end\n";
        }
        text
    };
    let time = |text: &str| {
        let measured = (0..5).map(|_| {
            let start = thread_time();
            assert!(read(text, Dialect::default()).is_ok());
            thread_time() - start
        });
        measured.min().expect("five runs")
    };
    let (few, many) = (time(&program(100)), time(&program(500)));
    assert!(many <= few * 7, "{few:?} for 100, {many:?} for 500");
}
