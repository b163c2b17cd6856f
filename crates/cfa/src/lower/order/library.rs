//! What functions without a body in the program touch, by their names.

use super::effects::{Ends, Footprint};

/// Whether a call evaluates its arguments.
pub fn evaluates_arguments(name: &str) -> bool {
    !matches!(
        name,
        "__builtin_constant_p"
            | "__builtin_object_size"
            | "__builtin_dynamic_object_size"
            | "__builtin_classify_type"
            | "__builtin_has_attribute"
    )
}

/// Whether a call changes the variable that its first argument names.
pub fn writes_first_argument(name: &str) -> bool {
    matches!(name, "__builtin_va_start" | "__builtin_c23_va_start" | "__builtin_va_end" | "__builtin_va_copy")
}

/// Whether a call of this function is the error itself, even if the program defines it.
pub fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// Whether a call of this function ends the program and does nothing else.
pub fn is_end(name: &str) -> bool {
    matches!(name, "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" | "__assert_fail" | "__builtin_trap")
}

/// What a library function or builtin touches; `None` if its name says nothing.
pub fn footprint(full_name: &str) -> Option<Footprint> {
    let name = full_name.strip_prefix("__builtin_").unwrap_or(full_name);
    let ends = |ends| Some(Footprint { ends, ..Footprint::default() });
    let reads = Footprint { reads_memory: true, ..Footprint::default() };
    match name {
        "reach_error" | "__VERIFIER_error" => return ends(Ends::REACH),
        "assert"
        | "__VERIFIER_assert"
        | "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__ESBMC_assert"
        | "klee_assert"
        | "klee_report_error" => {
            return ends(Ends::ASSERT);
        }
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "__VERIFIER_assume" | "__CPROVER_assume"
        | "__ESBMC_assume" | "klee_assume" | "klee_range" | "klee_choose" | "klee_silent_exit" | "klee_abort" => {
            return ends(Ends::HALT);
        }
        "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" => return Some(reads),
        "__CPROVER_havoc_slice" | "klee_make_symbolic" => {
            return Some(Footprint { writes_memory: true, ..reads });
        }
        "trap" | "unreachable" | "assume" if full_name != name => return ends(Ends::HALT),
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll" | "strchr"
        | "strrchr" | "strstr" | "strspn" | "strcspn" | "strpbrk" | "memcmp" | "memchr" | "atoi" | "atol" | "atoll"
        | "atof" | "printf" | "fprintf" | "vprintf" | "puts" | "fputs" | "perror" | "strdup" | "wcslen" => {
            return Some(reads);
        }
        "malloc" | "calloc" | "alloca" | "aligned_alloc" | "__kmalloc" | "kmalloc" | "kzalloc" | "vmalloc"
        | "vzalloc" | "putchar" | "fputc" | "putc" | "fflush" | "rand" | "random" | "getchar" | "srand" => {
            return Some(Footprint::default());
        }
        _ => {}
    }
    let memory = Footprint { writes_memory: true, ..reads.clone() };
    if name.starts_with("__sync_") || name.starts_with("__atomic_") || name.starts_with("__c11_atomic_") {
        return Some(if name.ends_with("_fence") || name == "__sync_synchronize" {
            Footprint::default()
        } else {
            memory
        });
    }
    if name.starts_with("__CPROVER_") || name.starts_with("__ESBMC_") || name.starts_with("klee_") {
        return Some(Footprint::default());
    }
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(if name == "__VERIFIER_nondet_memory" { memory } else { Footprint::default() });
    }
    // The library functions that write have a prototype with pointers; other builtins compute.
    (full_name.starts_with("__builtin_") && name.ends_with("_overflow")).then_some(memory)
}
