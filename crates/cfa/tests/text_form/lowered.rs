//! What the lowering makes of C.

use crate::round_trip;
use robusto_cfa::draw::{Options, svg};
use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::text::print;
use robusto_cfa::verify::verify;
use robusto_syntax::SourceMap;

fn compile(text: &str, model: DataModel) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.into()).unwrap();
    match robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(model)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{:?}\n{text}", errors[0].message),
    }
}

const PROGRAMS: &[&str] = &[
    "int main(void) { int i = 0; while (i < 10) { if (i % 3 == 1) i += 2; else i++; } return i; }",
    "struct point { int x; unsigned char y; double z; }; struct point p = { 1, 200, -0.5 };\n\
     int f(struct point *q, int n) { int i; struct point a = *q; { int i = n; a.x += i; } for (i = 0; i < n; i++) a.z *= 2;\n\
       return a.x + (int)a.z + q->y; }\n\
     int main(void) { return f(&p, 3); }",
    "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }\n\
     int (*table[2])(int, int) = { add, sub }; const char *names[] = { \"add\", \"sub\" + 1 };\n\
     int main(void) { int k; switch (k) { case 0: case 1: return table[k](3, 4); case -5: break; default: goto out; }\n\
       out: return names[1][0]; }",
    "unsigned g(unsigned a, unsigned char c) { return (a << 3 | a >> 29) ^ (c & 0x7f) ^ ~a / (c + 1u); }\n\
     float h(float x, long n) { return x / 3.0f + n - (x < 1e10 ? 0.1 : -x); }\n\
     extern int unknown(void *); extern long __VERIFIER_nondet_long(void); void reach_error(void);\n\
     int main(void) { long n = __VERIFIER_nondet_long(); char buffer[n > 0 ? n : 1]; static int calls;\n\
       if (unknown(buffer)) reach_error(); calls++; return g(n, 5) + h(2, n) + calls; }",
];

#[test]
fn lowered_programs_are_valid_and_round_trip() {
    for text in PROGRAMS {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let program = compile(text, model);
            if let Err(violations) = verify(&program) {
                panic!("{}\n{}", violations[0], print(&program));
            }
            round_trip::check(&program);
            assert!(svg(&program, Options::default()).contains("main("));
        }
    }
}

/// Where the order of evaluation cannot be seen, there is no choice of it.
#[test]
fn independent_operands_have_no_choice() {
    let program = |body: &str| {
        let text = format!(
            "int g, k, a[4]; int *p; int set(void) {{ g = 1; return 1; }} int other(int x) {{ k = x; return x; }}\n\
             int get(const int *q) {{ return *q; }} int pure(int x) {{ int t[2]; t[x & 1] = x; return t[0]; }}\n\
             int rec(int n) {{ return n < 2 ? n : rec(n - 1) + rec(n - 2); }} int __VERIFIER_nondet_int(void);\n\
             int main(void) {{ int x = 1, y[3]; {body} return x; }}"
        );
        print(&compile(&text, DataModel::Lp64))
    };
    for body in [
        "x = set() + other(2);",
        "x = x + set() + k;",
        "x += set();",
        "y[x++] = set();",
        "*p++ = set();",
        "x = get(&g) + get(a) + a[x];",
        "x = pure(x) + pure(x + 1) + get(p);",
        "x = rec(x) * set();",
        "x = __VERIFIER_nondet_int() - __VERIFIER_nondet_int();",
        "a[other(1)] = set();",
        "int z[2] = { set(), other(2) };",
        "x = (x ? set() : other(1)) + a[0];",
    ] {
        assert!(!program(body).contains("order"), "{body}\n{}", program(body));
    }
    for body in ["x = set() + g;", "g += set();", "x = set() + ({ int t = g; t; });", "a[g] = set();"] {
        assert!(program(body).contains("order"), "{body}\n{}", program(body));
    }
}
