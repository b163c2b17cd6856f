//! The part of a harness that stands between the program and the allocation functions of the library.
//!
//! A call gives what it gave in the execution: null, or memory of the size that the program asks for, with the content that the
//! violation needs. Memory of no size has no byte that may be touched; the sanitizer is told so, for its own allocator would give
//! one. The functions keep a list of what is allocated, under addresses that the sanitizer does not know again, so that a leak is
//! still found.

use robusto_verdict::{Allocation, Allocator, Counterexample};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The functions that the harness stands before.
const WRAPPED: [&str; 12] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "pvalloc",
    "strdup",
    "strndup",
    "free",
];

/// The tables of what calls give, by name.
const TABLES: [(Allocator, &str); 5] = [
    (Allocator::Malloc, "malloc"),
    (Allocator::Calloc, "calloc"),
    (Allocator::Realloc, "realloc"),
    (Allocator::Aligned, "aligned"),
    (Allocator::Strdup, "strdup"),
];

/// Whether the harness has something to say about what allocation functions give: the program calls one of the library.
pub(crate) fn are_given(cex: &Counterexample, defined: &BTreeSet<String>) -> bool {
    !cex.heap.is_empty() && !WRAPPED.iter().any(|name| defined.contains(*name))
}

/// The options of the compiler. It would make `malloc(n)` of `realloc(0, n)`.
pub(crate) fn flags() -> String {
    format!(" -fno-builtin-realloc -Wl,--wrap={}", WRAPPED.join(",--wrap="))
}

/// The functions. If somebody waits for that, they tell at the end of the program that something is still allocated.
pub(crate) fn text(cex: &Counterexample, tells: bool) -> String {
    let mut out = String::from(TYPE);
    for (by, name) in TABLES {
        let given: Vec<&Allocation> = cex.heap.iter().filter(|allocation| allocation.by == by).collect();
        let says = |given: &&Allocation| given.content.as_ref().is_none_or(|content| !content.is_empty());
        let count = given.iter().rposition(says).map_or(0, |last| last + 1);
        let _ = writeln!(out, "\nstatic const struct robusto_given robusto_{name}_gives[] = {{");
        for allocation in &given[..count] {
            let _ = match &allocation.content {
                None => writeln!(out, "    {{1, 0, 0}}, /* null */"),
                Some(content) => {
                    let bytes: String = content.iter().map(|b| format!("\\x{b:02x}")).collect();
                    writeln!(out, "    {{0, {}, \"{bytes}\"}},", content.len())
                }
            };
        }
        out.push_str("    {0, 0, 0}\n};\n");
        let _ = writeln!(out, "static struct robusto_calls robusto_{name}_calls = {{robusto_{name}_gives, {count}}};");
    }
    out.push_str(BLOCKS);
    out.push_str(FUNCTIONS);
    if tells {
        out.push_str(AT_END);
    }
    out
}

const TYPE: &str = "
/* What a call of an allocation function gives: null, or memory with this content, and zero behind it. */
struct robusto_given {
    int fails;
    unsigned long size;
    const char *bytes;
};

struct robusto_calls {
    const struct robusto_given *next;
    unsigned long count;
};
";

const BLOCKS: &str = "
/* What is allocated. The address is hidden from who looks for leaks. */
static struct robusto_block {
    size_t hidden, size;
    struct robusto_block *next;
} *robusto_blocks;

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__real_memalign(size_t, size_t);
char *__real_strdup(const char *);
char *__real_strndup(const char *, size_t);
__attribute__((weak)) void __asan_poison_memory_region(void const volatile *, size_t);

static const struct robusto_given *robusto_given(struct robusto_calls *calls) {
    static const struct robusto_given nothing;
    return calls->count ? calls->count--, calls->next++ : &nothing;
}

static void *robusto_none(void) {
    errno = ENOMEM;
    return 0;
}

/* New memory, of which the first bytes have their content. */
static void *robusto_new(void *memory, size_t size, size_t first, const struct robusto_given *given) {
    if (!memory)
        return 0;
    if (given->size > first && given->size <= size)
        memcpy((char *)memory + first, given->bytes + first, given->size - first);
    if (!size && __asan_poison_memory_region)
        __asan_poison_memory_region(memory, 1);
    struct robusto_block *block = __real_malloc(sizeof *block);
    block->hidden = ~(size_t)memory, block->size = size, block->next = robusto_blocks;
    robusto_blocks = block;
    return memory;
}

/* Forgets memory; its size, or -1 if it is not known. */
static size_t robusto_forget(void *memory) {
    for (struct robusto_block **at = &robusto_blocks; *at; at = &(*at)->next) {
        struct robusto_block *block = *at;
        size_t size = block->size;
        if (block->hidden != ~(size_t)memory)
            continue;
        *at = block->next;
        __real_free(block);
        return size;
    }
    return -1;
}
";

const FUNCTIONS: &str = "
void *__wrap_malloc(size_t size) {
    const struct robusto_given *given = robusto_given(&robusto_malloc_calls);
    return given->fails ? robusto_none() : robusto_new(__real_calloc(size, 1), size, 0, given);
}

void *__wrap_calloc(size_t count, size_t size) {
    const struct robusto_given *given = robusto_given(&robusto_calloc_calls);
    return given->fails ? robusto_none() : robusto_new(__real_calloc(count, size), count * size, 0, given);
}

void *__wrap_realloc(void *old, size_t size) {
    if (old && !size) {
        robusto_forget(old);
        return __real_realloc(old, size);
    }
    const struct robusto_given *given = robusto_given(&robusto_realloc_calls);
    if (given->fails)
        return robusto_none();
    size_t had = old ? robusto_forget(old) : 0;
    if (had == (size_t)-1)
        return __real_realloc(old, size);
    void *memory = __real_calloc(size, 1);
    if (!memory)
        return 0;
    if (had > size)
        had = size;
    if (had)
        memcpy(memory, old, had);
    __real_free(old);
    return robusto_new(memory, size, had, given);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size)
        return robusto_none();
    return __wrap_realloc(old, count * size);
}

void *__wrap_memalign(size_t alignment, size_t size) {
    const struct robusto_given *given = robusto_given(&robusto_aligned_calls);
    void *memory = given->fails ? robusto_none() : __real_memalign(alignment, size);
    if (memory)
        memset(memory, 0, size);
    return robusto_new(memory, size, 0, given);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) { return __wrap_memalign(alignment, size); }
void *__wrap_valloc(size_t size) { return __wrap_memalign(4096, size); }
void *__wrap_pvalloc(size_t size) { return __wrap_memalign(4096, (size + 4095) / 4096 * 4096); }

int __wrap_posix_memalign(void **to, size_t alignment, size_t size) {
    if (alignment & (alignment - 1) || alignment < sizeof(void *))
        return EINVAL;
    void *memory = __wrap_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *to = memory;
    return 0;
}

char *__wrap_strndup(const char *text, size_t most) {
    const struct robusto_given *given = robusto_given(&robusto_strdup_calls);
    char *copy = given->fails ? robusto_none() : __real_strndup(text, most);
    return copy ? robusto_new(copy, strlen(copy) + 1, strlen(copy) + 1, given) : 0;
}

char *__wrap_strdup(const char *text) {
    const struct robusto_given *given = robusto_given(&robusto_strdup_calls);
    char *copy = given->fails ? robusto_none() : __real_strdup(text);
    return copy ? robusto_new(copy, strlen(copy) + 1, strlen(copy) + 1, given) : 0;
}

void __wrap_free(void *memory) {
    if (memory)
        robusto_forget(memory);
    __real_free(memory);
}
";

const AT_END: &str = "
static void robusto_look(void) {
    if (robusto_blocks) {
        fprintf(stderr, \"robusto: memory is still allocated\\n\");
        fflush(0);
        _Exit(ROBUSTO_EXIT);
    }
}

__attribute__((constructor)) static void robusto_look_later(void) { atexit(robusto_look); }
";

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_verdict::Locals;
    use std::process::Command;

    const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *first = malloc(3), *second = malloc(3), *third = malloc(3);
    char *zeroed = calloc(2, 2), *none = calloc(2, 2);
    char *kept = realloc(first, 5), *grown = realloc(first, 5);
    void *aligned = &aligned;
    printf("%d %d %d %d %d %d ", first != 0, second != 0, third[2], zeroed[1], none != 0, kept != 0);
    printf("%d %d %d ", grown[0], grown[4], posix_memalign(&aligned, 16, 8));
    printf("%d %d\n", aligned == &aligned, strdup("a") != 0);
    return 0;
}
"#;

    /// Each call that failed in the execution fails, and no other.
    #[test]
    fn calls_fail_as_they_did() {
        let gave = |by, content: Option<&[u8]>| Allocation { by, content: content.map(<[u8]>::to_vec) };
        let heap = vec![
            gave(Allocator::Malloc, Some(&[7])),
            gave(Allocator::Malloc, None),
            gave(Allocator::Malloc, Some(&[0, 0, 9])),
            gave(Allocator::Calloc, Some(&[])),
            gave(Allocator::Calloc, None),
            gave(Allocator::Realloc, None),
            gave(Allocator::Realloc, Some(&[1, 1, 1, 1, 4])),
            gave(Allocator::Aligned, None),
            gave(Allocator::Strdup, None),
        ];
        let (inputs, writes, orders, trace) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let cex = Counterexample { inputs, writes, orders, failures: Vec::new(), heap, locals: Locals::Zero, trace };
        let folder = std::env::temp_dir().join(format!("robusto-allocations-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let head = "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#define ROBUSTO_EXIT 10\n";
        std::fs::write(folder.join("harness.c"), head.to_owned() + &text(&cex, true)).expect("written");
        std::fs::write(folder.join("program.c"), PROGRAM).expect("written");
        let flags = flags();
        let mut command = Command::new("gcc");
        command.args(["-w", "program.c", "harness.c", "-o", "program"]).args(flags.split_whitespace());
        let Ok(run) = command.current_dir(&folder).output() else {
            eprintln!("skipped: there is no gcc");
            return;
        };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let run = Command::new(folder.join("program")).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&run.stdout), "1 0 9 0 0 0 7 4 12 1 0\n");
        // Memory is still allocated at the end.
        assert_eq!(run.status.code(), Some(10));
        std::fs::remove_dir_all(folder).expect("it is there");
    }
}
