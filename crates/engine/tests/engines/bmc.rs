//! Bounded model checking against all executions of random programs, and on small programs by hand.

use crate::support::{PRELUDE, limits, program, random_text, reaches_error};
use robusto_engine::{Problem, bmc};
use robusto_limits::Progress;
use robusto_verdict::{Property, Reason, Report, Verdict};

fn check_bounded(text: &str, property: &Property, max_bound: Option<u32>) -> Report {
    let options = bmc::Options { max_bound, ..Default::default() };
    bmc::check(&Problem::new(program(text), property), &options, &limits(), &Progress::default())
}

fn check(body: &str) -> Verdict {
    check_bounded(&format!("{PRELUDE}{body}"), &Property::UnreachCall, None).verdict
}

#[test]
fn agrees_with_enumeration() {
    let mut violated = 0;
    for seed in 0..200 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        violated += u32::from(expected);
        match check_bounded(&text, &Property::UnreachCall, None).verdict {
            Verdict::False(_) => assert!(expected, "seed {seed}: not reachable\n{text}"),
            Verdict::True => assert!(!expected, "seed {seed}: reachable\n{text}"),
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}\n{text}"),
        }
    }
    assert!((25..175).contains(&violated), "{violated} of 200 programs reach the error");
}

#[test]
fn an_error_inside_of_a_call_that_is_taken_at_once() {
    // The third call is like the first but for the global; the fourth is like the first.
    let body = "int n; int get(int c) { if (c == 1) return n; return 7; }
        void look(int c) { if (get(c) == 3) __VERIFIER_error(); }
        int main() { int k = __VERIFIER_nondet_int(); look(1); look(2); n = 2; look(1); n = 0; look(1); n = k; look(1); }";
    let Verdict::False(cex) = check(body) else { panic!("with the input 3") };
    assert_eq!(cex.inputs[0].value, "3");
    assert_eq!(check(&body.replace("n = k;", "n = k & 1;")), Verdict::True);
}

#[test]
fn a_tree_of_calls_is_walked_once_per_value() {
    let tree: String = (1..=18).map(|i| format!("int f{i}(int x) {{ f{0}(x); return f{0}(x); }}\n", i - 1)).collect();
    let body = format!(
        "int f0(int x) {{ return x < 100 ? x + 1 : x; }}\n{tree}int main() {{ if (f18(5) != 6) __VERIFIER_error(); }}"
    );
    assert_eq!(check(&body), Verdict::True);
}

#[test]
fn counter_needs_its_iterations() {
    let body = "int main() { int n = __VERIFIER_nondet_int(), i = 0;
        while (i < n) { i++; if (i == 17) __VERIFIER_error(); } }";
    let Verdict::False(cex) = check(body) else { panic!("17 iterations reach it") };
    assert!(cex.inputs[0].value.parse::<i32>().expect("a number") >= 17);
    let text = format!("{PRELUDE}{body}");
    let report = check_bounded(&text, &Property::UnreachCall, Some(5));
    assert_eq!(report.verdict, Verdict::Unknown(Reason::Bound(5)));
}

#[test]
fn nested_loops_end() {
    let body = "int main() { int s = 0, n = __VERIFIER_nondet_uchar() & 7;
        for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s++;
        if (s > 21) __VERIFIER_error(); }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("s > 21", "s == 21")), Verdict::False(_)));
}

#[test]
fn recursion() {
    let body = "int f(int n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }
        int main() { int n = __VERIFIER_nondet_uchar() & 7; if (f(n) == 8) __VERIFIER_error(); }";
    let Verdict::False(cex) = check(body) else { panic!("f(6) is 8") };
    assert_eq!(cex.inputs[0].value, "6");
    assert_eq!(check(&body.replace("== 8", "== 7")), Verdict::True);
}

#[test]
fn mutual_recursion() {
    let body = "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(int n) { return n == 0 ? 0 : even(n - 1); }
        int main() { int n = __VERIFIER_nondet_uchar() & 15; if (even(n) != ((n & 1) == 0)) __VERIFIER_error(); }";
    assert_eq!(check(body), Verdict::True);
}

#[test]
fn uninitialised_memory_has_any_content() {
    let body = "int main() { int a[4]; char *c = (char *)&a[2];
        if (a[1] == 77 && c[0] == 3 && c[1] == -2) __VERIFIER_error(); }";
    assert!(matches!(check(body), Verdict::False(_)));
    let body = "void *malloc(unsigned long);
        int sum(int *p) { int own[2]; return p[0] + p[1] + own[1]; }
        int main() { int *p = malloc(8); if (p[0] == 5 && sum(p) == 1234) __VERIFIER_error(); }";
    assert!(matches!(check(body), Verdict::False(_)));
}

#[test]
fn pointers_and_function_pointers() {
    let body = "int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; }
        int main() { int (*f)(int) = __VERIFIER_nondet_int() ? twice : thrice;
          int x = __VERIFIER_nondet_uchar(), y = 0; int *p = &x; if (x > 100) p = &y;
          *p += 1; if (f(x) == 33 && y == 0) __VERIFIER_error(); }";
    assert!(matches!(check(body), Verdict::False(_)));
    assert_eq!(check(&body.replace("== 33", "== 1001")), Verdict::True);
}

#[test]
fn irreducible_loops() {
    let body = "int main() { int i = 0, n = __VERIFIER_nondet_uchar() & 7;
        if (n & 1) goto middle;
        top: i++; if (i > 9) goto end;
        middle: i += 2; if (i < n) goto top;
        end: if (i == 8) __VERIFIER_error(); }";
    // n = 6: 0, 1, 3, 4, 6; n = 7: 2, 3, 5, 6, 8.
    let Verdict::False(cex) = check(body) else { panic!("8 is reached") };
    assert_eq!(cex.inputs[0].value, "7");
    assert_eq!(check(&body.replace("i == 8", "i == 7")), Verdict::True);
}

#[test]
fn every_target_is_decided() {
    let body = "int main() { int x = __VERIFIER_nondet_int(), i;
        for (i = 0; i < 3; i++) { if (x == i) { error_1: x = 7; } }
        if (i == 4) { error_2: return 1; }
        if (x == 9) __VERIFIER_error(); }";
    let report = check_bounded(&format!("{PRELUDE}{body}"), &Property::All, None);
    let verdicts: Vec<(&str, bool)> =
        report.findings.iter().map(|f| (f.target.name.as_str(), f.verdict == Verdict::True)).collect();
    assert_eq!(verdicts, [("error_1", false), ("error_2", true), ("error call in main", false)]);
    assert!(report.findings.iter().all(|f| !matches!(f.verdict, Verdict::Unknown(_))));
}

#[test]
fn endless_loops_are_not_proved() {
    let body = "int main() { unsigned x = 0; while (1) { x += 2; if (x == 7) __VERIFIER_error(); } }";
    let report = check_bounded(&format!("{PRELUDE}{body}"), &Property::UnreachCall, Some(30));
    assert_eq!(report.verdict, Verdict::Unknown(Reason::Bound(30)));
}

/// All paths into a node are merged before it is expanded: the unrolled program has as many nodes as its loops have
/// iterations, not as many as there are paths.
#[test]
fn unrolling_is_linear() {
    let branches: String = (0..30).map(|i| format!("if (x & {}) y += {i}; else y ^= x;\n", 1u32 << i)).collect();
    let body = format!(
        "int main() {{ int n = __VERIFIER_nondet_int(), s = 0, never = __VERIFIER_nondet_int();
          __VERIFIER_assume(never == 0);
          for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) {{ int x = n + i * j, y = 0; {branches} s += y; }}
          if (never && s == 7) __VERIFIER_error(); }}"
    );
    let report = check_bounded(&format!("{PRELUDE}{body}"), &Property::UnreachCall, None);
    assert_eq!(report.verdict, Verdict::True);
    let nodes = report.counters.iter().find(|(name, _)| *name == "nodes").expect("it is counted");
    let nodes: usize = nodes.1.parse().expect("a number");
    assert!((1500..2000).contains(&nodes), "{nodes} nodes for 16 bodies of about 100 locations");
}

/// Paths end where intervals say that no execution comes.
#[test]
fn invariants_prune_paths() {
    let text = format!(
        "{PRELUDE}int main() {{ unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); \
         x = x % 8 + y % 8; if (x > 20) {{ while (__VERIFIER_nondet_int()) {{ x++; }} __VERIFIER_error(); }} \
         return 0; }}"
    );
    let nodes = |invariants| {
        let options = bmc::Options { invariants, ..Default::default() };
        let problem = Problem::new(program(&text), &Property::UnreachCall);
        let report = bmc::check(&problem, &options, &limits(), &Progress::default());
        assert_eq!(report.verdict, Verdict::True);
        let (_, count) = report.counters.iter().find(|(name, _)| *name == "nodes").expect("they are counted");
        count.parse::<u32>().expect("a number")
    };
    assert!(nodes(true) < nodes(false), "{} nodes, {} without invariants", nodes(true), nodes(false));
}
