//! Slices against all executions of random programs, and on small programs by hand.

use crate::support::{PRELUDE, limits, problem, random_parts, random_text, reaches_error};
use robusto_engine::{Problem, bmc, certify};
use robusto_limits::Progress;
use robusto_verdict::{Certificate, Report, Verdict};

fn check(problem: &Problem) -> Report {
    bmc::check(problem, &bmc::Options::default(), &limits(), &Progress::default())
}

/// What is said of the slice of a program, which must be so of the program: 0 true, 1 false, 2 neither.
fn agrees(text: &str) -> usize {
    let problem = problem(text);
    let slice = problem.slice().expect("every program of these has one");
    let expected = reaches_error(text);
    let report = check(slice);
    match report.verdict {
        Verdict::True => {
            assert!(!expected, "the error is reachable\n{text}");
            let inner = report.certificate.expect("every true has one");
            let certificate = Certificate::Sliced(Box::new(inner));
            if let Err(failure) = certify::check(&problem, &certificate, &limits()) {
                panic!("{failure}\n{text}");
            }
            0
        }
        // It was replayed on the program.
        Verdict::False(_) => {
            assert!(expected, "the error is not reachable\n{text}");
            1
        }
        Verdict::Unknown(_) => 2,
    }
}

#[test]
fn slices_agree_with_all_executions() {
    let mut count = [0; 3];
    for seed in 0..150 {
        count[agrees(&random_parts(seed))] += 1;
        count[agrees(&random_text(seed))] += 1;
    }
    let [proved, refuted, open] = count;
    assert!(proved > 60 && refuted > 60 && open < 30, "{count:?}");
}

#[test]
fn most_is_left_out() {
    let text = format!(
        "{PRELUDE}struct s {{ int state; int noise; }} *p;
        extern void *malloc(unsigned long);
        int noise;
        int work(int n) {{ while (n > 0) {{ noise += n; n--; }} return noise; }}
        int main() {{
            p = malloc(sizeof *p);
            p->state = 0;
            for (int i = 0; i < 1000; i++) {{
                p->noise = work(i);
                if (p->noise > 100) noise = 0;
                p->state = 1 - p->state;
            }}
            if (p->state == 2) __VERIFIER_error();
        }}"
    );
    let problem = problem(&text);
    let slice = problem.slice().expect("it has one");
    let program = &slice.facts.program;
    let work = program.function_named("work").expect("it is there");
    assert_eq!(program.functions[work].edges().len(), 1, "it only returns");
    let main = program.main.expect("it is there");
    let edges = program.functions[main].edges();
    let uses_memory = edges.iter().any(|edge| format!("{:?}", edge.op).contains("Store"));
    assert!(!uses_memory && edges.len() <= 12, "{edges:#?}");
}

/// Where points-to analysis is coarse, a call that asks for a result may be one of a function that has none, or does not return.
#[test]
fn functions_without_result_may_be_called_for_one() {
    let text = format!(
        "{PRELUDE}extern void exit(int);
        int g, noise;
        void none(int x) {{ noise += x; }}
        int one(int x) {{ return x + 1; }}
        int end(int x) {{ noise = x; exit(0); return x; }}
        void *table[3] = {{ (void *)none, (void *)one, (void *)end }};
        int main() {{
            int i = __VERIFIER_nondet_int() & 1;
            int (*f)(int) = (int (*)(int))table[i + FIRST];
            if (i == 0) noise++;
            if (i + FIRST > 0) g = f(1);
            if (g == GOAL) __VERIFIER_error();
        }}"
    );
    let verdict = |first: &str, goal: &str| {
        let problem = problem(&text.replace("FIRST", first).replace("GOAL", goal));
        check(problem.slice().unwrap_or_else(|why| panic!("{why}"))).verdict
    };
    for first in ["0", "1"] {
        assert!(matches!(verdict(first, "2"), Verdict::False(_)), "{first}: {:?}", verdict(first, "2"));
        assert!(!matches!(verdict(first, "3"), Verdict::False(_)), "{first}: {:?}", verdict(first, "3"));
    }
    assert_eq!(verdict("0", "3"), Verdict::True, "the end is not called");
}

/// A slice may have more executions: then its error is none of the program.
#[test]
fn ends_that_are_left_out_make_no_errors() {
    let text = format!(
        "{PRELUDE}int a, b;
        int main() {{
            a = __VERIFIER_nondet_int();
            b = 1;
            while (b) {{ b = b * 3; }}
            if (a == 7) __VERIFIER_error();
        }}"
    );
    let problem = problem(&text);
    let slice = problem.slice().expect("it has one");
    let report =
        bmc::check(slice, &bmc::Options { max_bound: Some(3), ..Default::default() }, &limits(), &Progress::default());
    assert!(!matches!(report.verdict, Verdict::False(_)), "b is odd for ever: {:?}", report.verdict);
}
