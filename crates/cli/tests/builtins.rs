//! Builtins and types whose outcome the compiler or the machine decides: every outcome counts.

mod support;

use support::Folder;

const DECLARATIONS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    static void check(int c) { if (!c) reach_error(); }\n";

/// Name, beginning of the verdict, text.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("constant", "true", "int main() { check(__builtin_constant_p(3 + 4)); }"),
    ("not_constant_0", "false", "int main() { int x = __VERIFIER_nondet_int(); check(__builtin_constant_p(x)); }"),
    ("not_constant_1", "false", "int main() { int x = __VERIFIER_nondet_int(); check(!__builtin_constant_p(x)); }"),
    (
        "not_constant_here",
        "true",
        "int main() { int x = __VERIFIER_nondet_int();
        check(__builtin_choose_expr(__builtin_constant_p(x), 0, 1)); }",
    ),
    ("size_known", "true", "int a[3]; int main() { check(__builtin_object_size(a, 0) == 12); }"),
    ("size_unknown", "false", "int a[3]; int main() { check(__builtin_object_size(a, 0) + 1 == 0); }"),
    (
        "size_either",
        "true",
        "int a[3]; int main() { unsigned long s = __builtin_object_size(a, 0), t = __builtin_object_size(a, 2);
        check((s == 12 || s == -1ul) && (t == 12 || t == 0)); }",
    ),
    (
        "weak_may_fail",
        "false",
        "int main() { int x = 1, e = 1; check(__atomic_compare_exchange_n(&x, &e, 2, 1, 5, 5)); }",
    ),
    (
        "weak_keeps",
        "true",
        "int main() { int x = 1, e = 1; int r = __atomic_compare_exchange_n(&x, &e, 2, 1, 5, 5);
        check(r ? x == 2 : x == 1 && e == 1); }",
    ),
    (
        "strong",
        "true",
        "int main() { int x = 1, e = 1; check(__atomic_compare_exchange_n(&x, &e, 2, 0, 5, 5) && x == 2); }",
    ),
    (
        "converted",
        "true",
        "int main() { unsigned r; int x = __VERIFIER_nondet_int(); if (x < 0) check(__builtin_uadd_overflow(x, 2147483648u, &r)); }",
    ),
    (
        "unsigned_product",
        "true",
        "int main() { unsigned long x = -1ul; __int128 r; check(__builtin_mul_overflow(x, x, &r)); }",
    ),
    (
        "sign_bits",
        "true",
        "int main() { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 8) check(__builtin_clrsb(x) == 28); }",
    ),
    (
        "precision",
        "unknown(unsupported: a decision by the precision of `_Float128`",
        "int main() { _Float128 x = 1; x = x / 3; check(x * 3 == 1); }",
    ),
    ("precise", "true", "int main() { _Float128 x = 3; check((_Float128)2 < (_Float128)3); }"),
];

#[test]
fn every_outcome_counts() {
    let folder = Folder::new("builtins");
    for (name, expected, text) in PROGRAMS {
        let file = format!("{name}.c");
        let out = folder
            .write(&file, format!("{DECLARATIONS}{text}\n"))
            .run(&["check", "--property", "unreach-call", &file])
            .stdout;
        let verdict = out.lines().last().unwrap_or_default();
        assert!(verdict.starts_with(&format!("RESULT: {expected}")), "{name}: {verdict}\n{out}");
    }
}

/// A builtin that is not known is no external function that returns something.
#[test]
fn unknown_builtins_are_unsupported() {
    let folder = Folder::new("builtins-unknown");
    let text = "int main() { return __builtin_of_another_compiler(3); }\n";
    let out = folder.write("unknown.c", text).run(&["cfa", "unknown.c"]).stdout;
    assert!(out.contains("unsupported \"call of `__builtin_of_another_compiler`\""), "{out}");
}
