//! A counterexample as C: compiled together with the program, it reaches the error for real.
//!
//! What the execution does not touch may be missing: the linker is told to leave such functions and objects undefined. Functions
//! without a body are defined under their names in the object file alone (`__asm__`), so that no prototype of a header disagrees.
//! What `malloc` and its like give is what they gave in the execution (`allocations`); local variables without a value are set by
//! the compiler.

use crate::allocations;
use crate::families::{definition, is_of_family};
use robusto_verdict::{Assignment, Counterexample, Finding, Locals, StepKind, ValueKind, Violation, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// C types of the functions `__VERIFIER_nondet_NAME`.
const NONDET: [(&str, &str); 27] = [
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
    ("long_double", "long double"),
    ("longdouble", "long double"),
    ("ldouble", "long double"),
    ("charp", "char *"),
];

/// What the harness is told of the program.
#[derive(Clone, Copy, Debug)]
pub struct HarnessTask<'t> {
    /// The program's files, as a shell reads them.
    pub files: &'t [String],
    /// Where the violation is.
    pub place: &'t str,
    /// `ILP32` or `LP64`.
    pub data_model: &'t str,
    /// Functions that the program defines itself.
    pub defined: &'t BTreeSet<String>,
    /// Functions without a body that it calls.
    pub external: &'t BTreeSet<String>,
    /// The start, if it is not the program's `main`.
    pub driver: Option<HarnessDriver<'t>>,
}

/// A `main` that calls a function of the program.
#[derive(Clone, Copy, Debug)]
pub struct HarnessDriver<'t> {
    /// The number of the file that it has to stand behind: the function may be `static`, and its types are there.
    pub unit: usize,
    /// C text; calls `robusto_input` and `robusto_fill`.
    pub text: &'t str,
}

/// The harness for a violation.
pub fn harness(finding: &Finding, cex: &Counterexample, task: HarnessTask<'_>) -> String {
    let mut out = String::new();
    let mut flags = String::from(" -w -no-pie -Wl,--unresolved-symbols=ignore-all");
    match cex.locals {
        Locals::Zero => flags += " -ftrivial-auto-var-init=zero",
        Locals::Pattern => flags += " -ftrivial-auto-var-init=pattern",
        Locals::Chosen => {}
    }
    let allocates = allocations::are_given(cex, task.defined);
    if allocates {
        flags += &allocations::flags();
    }
    if task.data_model == "ILP32" {
        flags += " -m32";
    }
    flags += match finding.target.kind {
        Some(Violation::Deref | Violation::Free | Violation::Track | Violation::Cleanup) => {
            " -g -fsanitize=address,undefined"
        }
        Some(Violation::Overflow | Violation::DivByZero | Violation::BadShift) => {
            " -fsanitize=undefined -fno-sanitize-recover=undefined"
        }
        _ => "",
    };
    let _ = writeln!(
        out,
        "/* Written by Robusto: inputs that violate {} ({}) at {}.\n\n     {}\n\n   \
         When the error is reached, it says so and exits with ROBUSTO_EXIT. */",
        finding.target.property(),
        finding.target.name.replace("*/", "* /"),
        task.place.replace("*/", "* /"),
        (command(&flags, task) + &arguments(cex)).replace("*/", "* /"),
    );
    if let Some(driver) = task.driver {
        driven(&mut out, driver, task.files);
    }
    if cex.locals == Locals::Chosen {
        out.push_str(
            "\n/* The violation depends on what is in local variables without a value; a compiled program may not come to it. */\n",
        );
    }
    if let Some(line) = cex.trace.iter().find(|line| line.kind == StepKind::Undefined) {
        let (what, at) = (line.operation.replace("*/", "* /"), line.pos.line);
        let _ = writeln!(
            out,
            "\n/* On the way the program does what C leaves undefined ({what}, line {at}): a compiled program may stop there. */"
        );
    }
    if !cex.orders.is_empty() {
        out.push_str(
            "\n/* The violation depends on an order of evaluation that C leaves open; this compiler may choose another. */\n",
        );
    }
    out.push_str(HEAD);
    // Values that library functions give are not for the harness to define.
    let own = |input: &&Assignment| !input.unmodelled && !input.external.as_deref().is_some_and(not_to_define);
    let mut count = 0;
    for input in cex.inputs.iter().filter(own) {
        let _ = writeln!(out, "    {:#x}ULL, /* {} */", input.bits as u64, input.value.replace("*/", "* /"));
        count += 1;
        if input.kind == ValueKind::LongDouble {
            let _ = writeln!(out, "    {:#x}ULL,", input.bits >> 64);
            count += 1;
        }
    }
    out.push_str("    0ULL\n};\n");
    let _ = writeln!(out, "static const unsigned long robusto_count = {count};");
    out.push_str(NEXT);
    writes(&mut out, cex);
    if allocates {
        out.push_str(&allocations::text(cex, finding.target.kind == Some(Violation::Cleanup)));
    }
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
    for name in task.external {
        if let Some((_, ty)) = NONDET.iter().find(|(of, _)| name.strip_prefix("nondet_") == Some(*of)) {
            define(name, &returning(name, ty));
        } else if name.starts_with("nondet_") {
            define(name, &returning(name, "unsigned long long"));
        } else if let Some(text) = definition(name) {
            define(name, &text);
        }
    }
    let known = |name: &str| {
        is_of_family(name) || NONDET.iter().any(|(of, _)| name.strip_prefix("__VERIFIER_nondet_") == Some(*of))
    };
    for name in task.external.iter().filter(|name| name.starts_with("__VERIFIER_nondet_") && !known(name)) {
        // A type of the program's own; what is wider than that is cut off by the caller.
        define(name, &returning(name, "unsigned long long"));
    }
    let mut external: BTreeMap<&str, Option<ValueKind>> =
        task.external.iter().filter(|name| !is_known(name)).map(|name| (&**name, None)).collect();
    for input in cex.inputs.iter().filter(own) {
        if let Some(name) = input.external.as_deref().filter(|name| !is_known(name)) {
            external.entry(name).or_default().get_or_insert(input.kind);
        }
    }
    for (name, result) in external {
        define(name, &external_function(name, result));
    }
    define("reach_error", "void reach_error(void) { robusto_reached(\"reach_error() is called\"); }");
    define("__VERIFIER_error", "void __VERIFIER_error(void) { robusto_reached(\"__VERIFIER_error() is called\"); }");
    define(
        "__VERIFIER_assume",
        "void __VERIFIER_assume(int condition) {\n    if (!condition)\n        robusto_other(\"an assumption does not hold\");\n}",
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
    if task.driver.is_some() {
        fills(&mut out, cex);
    }
    out
}

/// How to compile and run it.
fn command(flags: &str, task: HarnessTask<'_>) -> String {
    let Some(driver) = task.driver else {
        return format!("cc{flags} {} HARNESS.c -lm -o violation && ./violation", task.files.join(" "));
    };
    let others = task.files.iter().enumerate().filter(|(i, _)| *i != driver.unit).map(|(_, file)| format!(" {file}"));
    let others: String = others.collect();
    format!(
        "cc{flags} -DROBUSTO_ENTRY -c HARNESS.c -o entry.o &&\n     cc{flags} HARNESS.c{others} entry.o -lm -o violation && ./violation"
    )
}

/// The arguments that the program gets, as the shell wants them. Where they lie in memory outside, they are not known here.
fn arguments(cex: &Counterexample) -> String {
    let is_given = |write: &&Write| write.function == "main" && !write.to.ends_with("argument 0");
    let given = cex.writes.iter().filter(is_given).filter(|write| write.to.starts_with("&argument "));
    given
        .map(|write| format!(" {}", in_quotes(write.bytes.split(|&byte| byte == 0).next().unwrap_or_default())))
        .collect()
}

/// A word of the shell with these bytes.
fn in_quotes(bytes: &[u8]) -> String {
    if bytes.iter().all(|&byte| byte.is_ascii_graphic() && !b"'\\*".contains(&byte)) {
        return format!("'{}'", String::from_utf8_lossy(bytes));
    }
    let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"$(printf '{octal}')\"")
}

/// The part that is compiled together with the file whose function is called.
fn driven(out: &mut String, driver: HarnessDriver<'_>, files: &[String]) {
    let file = files.get(driver.unit).map_or("", |file| file.trim_matches('\''));
    let _ = writeln!(
        out,
        "\n#ifdef ROBUSTO_ENTRY\n\n#define main robusto_main_of_the_program\n#include \"{file}\"\n#undef main\n\n#include \
         <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n{}\n#else",
        driver.text
    );
}

/// The inputs as the part with `main` asks for them.
fn fills(out: &mut String, cex: &Counterexample) {
    out.push_str("\nunsigned long long robusto_input(void) { return robusto_next(); }\n\n");
    out.push_str("static const struct {\n    unsigned long size;\n    const char *bytes;\n} robusto_fills[] = {\n");
    for write in cex.writes.iter().filter(|write| write.is_of_start()) {
        let bytes: String = write.bytes.iter().map(|b| format!("\\x{b:02x}")).collect();
        let _ = writeln!(out, "    {{{}, \"{bytes}\"}},", write.bytes.len());
    }
    out.push_str("    {0, 0}\n};\n");
    out.push_str(FILL);
}

/// Whether a value comes from a function that the harness cannot define: of the library, of our models, or outside.
fn not_to_define(name: &str) -> bool {
    // What is not the program's, or is no name: arguments of `main` come from the command line, and functions outside have a type's name.
    matches!(name, "main" | Write::START)
        || name.starts_with("__robusto_")
        || name.contains(' ')
        || robusto_cfa::library().iter().any(|entry| entry.name == name)
}

/// Whether the harness has a definition of its own for a function, or the library one.
fn is_known(name: &str) -> bool {
    const KNOWN: [&str; 4] = ["reach_error", "__VERIFIER_error", "__VERIFIER_assume", "__VERIFIER_assert"];
    let is_input = name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_");
    is_input || is_of_family(name) || KNOWN.contains(&name) || not_to_define(name)
}

/// A function without a body: writes what it wrote, returns what it returned. Pointers are among the first six arguments
/// that are not floating-point numbers, whatever the real parameters are.
fn external_function(name: &str, result: Option<ValueKind>) -> String {
    let ty = match result {
        None => "void",
        Some(ValueKind::Int(0..=8)) => "unsigned char",
        Some(ValueKind::Int(9..=16)) => "unsigned short",
        Some(ValueKind::Int(17..=32)) => "unsigned int",
        Some(ValueKind::Int(_)) => "unsigned long long",
        Some(ValueKind::Float) => "float",
        Some(ValueKind::Double) => "double",
        Some(ValueKind::LongDouble) => "long double",
        Some(ValueKind::Pointer) => "void *",
    };
    let value = match ty {
        "void" => "",
        "float" => "    return robusto_float();\n",
        "double" => "    return robusto_double();\n",
        "long double" => "    return robusto_long_double();\n",
        "void *" => "    return (void *)(size_t)robusto_next();\n",
        _ => "    return robusto_next();\n",
    };
    let head = format!("{ty} robusto_external_{name}(void *a, void *b, void *c, void *d, void *e, void *f)");
    format!("{head} __asm__(\"{name}\");\n{head} {{\n    robusto_write(\"{name}\", a, b, c, d, e, f);\n{value}}}")
}

/// What functions without a body wrote, as a table.
fn writes(out: &mut String, cex: &Counterexample) {
    out.push_str(
        "struct robusto_written {\n    const char *function;\n    unsigned argument;\n    unsigned long size;\n    const char \
         *bytes;\n};\n\nstatic const struct robusto_written robusto_writes[] = {\n",
    );
    for write in cex.writes.iter().filter(|write| !write.is_of_start() && write.function != "main") {
        if !(1..=6).contains(&write.argument) {
            let _ = writeln!(
                out,
                "    /* {} also writes {} bytes to {}, which is behind none of its arguments */",
                write.function,
                write.bytes.len(),
                write.to.replace("*/", "* /")
            );
            continue;
        }
        let bytes: String = write.bytes.iter().map(|b| format!("\\x{b:02x}")).collect();
        let _ =
            writeln!(out, "    {{\"{}\", {}, {}, \"{bytes}\"}},", write.function, write.argument, write.bytes.len());
    }
    out.push_str("    {0, 0, 0, 0}\n};\n");
    out.push_str(WRITE);
}

fn returning(name: &str, ty: &str) -> String {
    match ty {
        "float" => format!("float {name}(void) {{ return robusto_float(); }}"),
        "double" => format!("double {name}(void) {{ return robusto_double(); }}"),
        "long double" => format!("long double {name}(void) {{ return robusto_long_double(); }}"),
        _ if ty.ends_with('*') => format!("{ty}{name}(void) {{ return ({ty})(size_t)robusto_next(); }}"),
        _ => format!("{ty} {name}(void) {{ return ({ty})robusto_next(); }}"),
    }
}

const HEAD: &str = "
#include <errno.h>
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

const FILL: &str = "
void robusto_fill(void *to, unsigned long size) {
    static unsigned long next;
    if (robusto_fills[next].size != size) {
        fprintf(stderr, \"robusto: the program asks for other memory\\n\");
        exit(ROBUSTO_OTHER);
    }
    if (to)
        memcpy(to, robusto_fills[next].bytes, size);
    next++;
}

#endif
";

const WRITE: &str = "
/* Writes what the next call of a function writes: arguments come in ascending order. */
__attribute__((unused)) static void robusto_write(const char *function, void *a, void *b, void *c, void *d, void *e, void *f) {
    static const struct robusto_written *next = robusto_writes;
    void *const arguments[] = {a, b, c, d, e, f};
    unsigned last = 0;
    while (next->function && !strcmp(next->function, function) && next->argument > last && arguments[next->argument - 1]) {
        last = next->argument;
        memcpy(arguments[last - 1], next->bytes, next->size);
        next++;
    }
}

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

__attribute__((unused)) static long double robusto_long_double(void) {
    unsigned long long low = robusto_next(), high = robusto_next();
    long double value = 0;
    memcpy(&value, &low, 8);
    memcpy((char *)&value + 8, &high, 2);
    return value;
}

__attribute__((unused, noreturn)) static void robusto_reached(const char *what) {
    fprintf(stderr, \"robusto: %s\\n\", what);
    exit(ROBUSTO_EXIT);
}

__attribute__((unused, noreturn)) static void robusto_other(const char *what) {
    fprintf(stderr, \"robusto: %s\\n\", what);
    exit(ROBUSTO_OTHER);
}

";
