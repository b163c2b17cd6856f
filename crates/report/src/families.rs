//! What a harness defines of CBMC, ESBMC, KLEE and SV-COMP, so that a program that talks to them can be compiled and run.

use std::fmt::Write as _;

const ASSERT: &str = "{ if (!condition) robusto_reached(\"an assertion fails\"); }";
const ASSUME: &str = "{ if (!condition) robusto_other(\"an assumption does not hold\"); }";

/// Names, the declaration without its name, and the body.
const DEFINITIONS: [(&str, &str, &str, &str); 14] = [
    ("__CPROVER_assert __CPROVER_precondition __CPROVER_postcondition", "void", "(_Bool condition)", ASSERT),
    ("__ESBMC_assert", "void", "(_Bool condition)", ASSERT),
    ("klee_assert", "void", "(unsigned long condition)", ASSERT),
    ("__CPROVER_assume __ESBMC_assume", "void", "(_Bool condition)", ASSUME),
    ("klee_assume", "void", "(unsigned long condition)", ASSUME),
    (
        "__CPROVER_cover __CPROVER_input __CPROVER_output __CPROVER_atomic_begin __CPROVER_atomic_end __ESBMC_atomic_begin \
         __ESBMC_atomic_end __ESBMC_yield __VERIFIER_atomic_begin __VERIFIER_atomic_end klee_prefer_cex \
         klee_posix_prefer_cex klee_open_merge klee_close_merge klee_merge klee_warning klee_warning_once klee_print_expr \
         klee_print_range klee_stack_trace klee_set_forking klee_mark_global",
        "void",
        "(void)",
        "{ }",
    ),
    ("__ESBMC_is_little_endian", "int", "(void)", "{ return 1; }"),
    ("klee_int klee_range", "int", "(void)", "{ return (int)robusto_next(); }"),
    ("klee_choose", "unsigned long", "(void)", "{ return (unsigned long)robusto_next(); }"),
    ("klee_silent_exit", "void", "(int status)", "{ _Exit(status); }"),
    ("klee_abort", "void", "(void)", "{ abort(); }"),
    ("klee_report_error", "void", "(void)", "{ robusto_reached(\"an error is reported\"); }"),
    (
        "klee_make_symbolic __CPROVER_havoc_slice __VERIFIER_nondet_memory",
        "void",
        "(void *to, unsigned long size)",
        "{\n    unsigned long long value;\n    if (size > sizeof value)\n        robusto_other(\"the content of large objects is not \
         known\");\n    value = robusto_next();\n    memcpy(to, &value, size);\n}",
    ),
    (
        "__CPROVER_allocate",
        "void *",
        "(unsigned long size, _Bool zeroed)",
        "{ return zeroed ? calloc(1, size) : malloc(size); }",
    ),
];

/// Whether a name belongs to one of the families.
pub fn is_of_family(name: &str) -> bool {
    ["__CPROVER_", "__ESBMC_", "klee_"].iter().any(|family| name.starts_with(family))
        || matches!(name, "__VERIFIER_nondet_memory" | "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end")
}

/// The definition of a function of these families.
pub fn definition(name: &str) -> Option<String> {
    let has = |names: &str| names.split_ascii_whitespace().any(|known| known == name);
    let (_, ret, parameters, body) = DEFINITIONS.iter().find(|(names, ..)| has(names))?;
    let mut out = String::new();
    // The program's own prototype may have other types.
    let head = format!("{ret} robusto_of_{name}{parameters}");
    let _ = write!(out, "{head} __asm__(\"{name}\");\n{head} {body}");
    Some(out)
}
