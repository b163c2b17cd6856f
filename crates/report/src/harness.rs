//! A counterexample as C: compiled together with the program, it reaches the error for real.

use robusto_cfa::ir::Ty;
use robusto_engine::{Assignment, Counterexample, Finding, Property};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// C types of the functions `__VERIFIER_nondet_NAME`.
const NONDET: [(&str, &str); 24] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "size_t"),
    ("loff_t", "long long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("float", "float"),
    ("double", "double"),
    ("charp", "char *"),
];

/// What the harness is told of the program.
#[derive(Clone, Copy, Debug)]
pub struct HarnessTask<'t> {
    /// The program's files.
    pub files: &'t [String],
    /// `ILP32` or `LP64`.
    pub data_model: &'t str,
    /// Functions that the program defines itself.
    pub defined: &'t BTreeSet<String>,
}

/// The harness for a violation.
pub fn harness(finding: &Finding, cex: &Counterexample, property: &Property, task: HarnessTask<'_>) -> String {
    let mut out = String::new();
    let checks = property.checks();
    let mut flags = String::new();
    if task.data_model == "ILP32" {
        flags += " -m32";
    }
    if checks.overflow || checks.div_by_zero {
        flags += " -fsanitize=undefined -fno-sanitize-recover=undefined";
    }
    let _ = writeln!(
        out,
        "/* Written by Robusto: inputs that violate {} ({}).\n\n     cc{flags} {} HARNESS.c -o violation && ./violation\n\n   \
         When the error is reached, it says so and exits with ROBUSTO_EXIT. */",
        finding.target.property(),
        finding.target.name.replace("*/", "* /"),
        task.files.join(" "),
    );
    out.push_str(HEAD);
    // Values that library functions give are not for the harness to define.
    let own = |input: &&Assignment| !input.external.as_deref().is_some_and(of_library);
    for input in cex.inputs.iter().filter(own) {
        let _ = writeln!(out, "    {:#x}ULL, /* {} */", input.bits, input.value.replace("*/", "* /"));
    }
    out.push_str("    0ULL\n};\n");
    let _ = writeln!(out, "static const unsigned long robusto_count = {};", cex.inputs.iter().filter(own).count());
    out.push_str(NEXT);
    let mut define = |name: &str, text: &str| {
        if !task.defined.contains(name) {
            out.push_str(text);
            out.push('\n');
        }
    };
    for (name, ty) in NONDET {
        let name = format!("__VERIFIER_nondet_{name}");
        define(&name, &returning(&name, ty));
    }
    let mut external: Vec<&Assignment> = Vec::new();
    for input in cex.inputs.iter().filter(own) {
        if let Some(name) = &input.external
            && !name.starts_with("__VERIFIER_nondet_")
            && !external.iter().any(|known| known.external.as_ref() == Some(name))
        {
            external.push(input);
        }
    }
    for input in external {
        let ty = match input.ty {
            Ty::Int(0..=8) => "unsigned char",
            Ty::Int(9..=16) => "unsigned short",
            Ty::Int(17..=32) => "unsigned int",
            Ty::Int(_) => "unsigned long long",
            Ty::F32 => "float",
            Ty::F64 => "double",
            Ty::Ptr => "void *",
        };
        let name = input.external.as_deref().unwrap_or_default();
        define(name, &returning(name, ty));
    }
    define("reach_error", "void reach_error(void) { robusto_reached(\"reach_error() is called\"); }");
    define("__VERIFIER_error", "void __VERIFIER_error(void) { robusto_reached(\"__VERIFIER_error() is called\"); }");
    define(
        "__VERIFIER_assume",
        "void __VERIFIER_assume(int condition) {\n    if (!condition) {\n        fprintf(stderr, \"robusto: an assumption does \
         not hold\\n\");\n        exit(ROBUSTO_OTHER);\n    }\n}",
    );
    define(
        "__VERIFIER_assert",
        "void __VERIFIER_assert(int condition) {\n    if (!condition)\n        robusto_reached(\"an assertion fails\");\n}",
    );
    define(
        "__assert_fail",
        "void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {\n    (void)text, \
         (void)file, (void)line, (void)function;\n    robusto_reached(\"an assertion fails\");\n}",
    );
    out
}

/// Whether a value comes from a function of the library, or from a part of our model of one.
fn of_library(name: &str) -> bool {
    name.starts_with("__robusto_") || robusto_cfa::library().iter().any(|entry| entry.name == name)
}

fn returning(name: &str, ty: &str) -> String {
    match ty {
        "float" => format!("float {name}(void) {{ return robusto_float(); }}"),
        "double" => format!("double {name}(void) {{ return robusto_double(); }}"),
        _ if ty.ends_with('*') => format!("{ty}{name}(void) {{ return ({ty})(size_t)robusto_next(); }}"),
        _ => format!("{ty} {name}(void) {{ return ({ty})robusto_next(); }}"),
    }
}

const HEAD: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROBUSTO_EXIT
#define ROBUSTO_EXIT 10 /* the error is reached */
#endif
#ifndef ROBUSTO_OTHER
#define ROBUSTO_OTHER 11 /* the execution is another one */
#endif

static const unsigned long long robusto_inputs[] = {
";

const NEXT: &str = "
static unsigned long long robusto_next(void) {
    static unsigned long next;
    if (next >= robusto_count) {
        fprintf(stderr, \"robusto: the program asks for more inputs\\n\");
        exit(ROBUSTO_OTHER);
    }
    return robusto_inputs[next++];
}

__attribute__((unused)) static float robusto_float(void) {
    unsigned bits = (unsigned)robusto_next();
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__attribute__((unused)) static double robusto_double(void) {
    unsigned long long bits = robusto_next();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__attribute__((unused, noreturn)) static void robusto_reached(const char *what) {
    fprintf(stderr, \"robusto: %s\\n\", what);
    exit(ROBUSTO_EXIT);
}

";
