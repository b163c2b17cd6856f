//! The model against the interpreter: the same locations, and the same values of what is live.

mod follow;
mod programs;

use follow::{End, compile, follow};
use programs::program;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_image::model::Options;

/// Programs of the test, and executions of each.
const PROGRAMS: u64 = 300;
const EXECUTIONS: u64 = 3;

#[test]
fn random_programs_are_followed() {
    let mut ends = [0; 5];
    let (mut blocks, mut values) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let facts = Facts::of(compile(&text, model));
        let options = Options { narrow: seed % 3 != 0, ..Options::default() };
        for execution in 0..EXECUTIONS {
            let run = std::panic::catch_unwind(|| follow(&facts, &options, seed * EXECUTIONS + execution));
            let run = run.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
            ends[run.end as usize] += 1;
            blocks += run.blocks;
            values += run.values;
        }
    }
    assert!(blocks > 5_000 && values > 20_000, "{blocks} blocks and {values} values were compared");
    assert!(ends[End::Finished as usize] > 300, "{ends:?}");
    assert!(ends[End::Violated as usize] > 30, "{ends:?}");
    assert!(ends[End::Bound as usize] > 10, "{ends:?}");
}

/// What random programs have not: lists on the heap, pointers to functions, structs in memory, wide numbers.
#[test]
fn memory_and_calls_through_pointers_are_followed() {
    let text = "
        typedef typeof(sizeof 0) size_t;
        extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
        extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_error(void);
        struct node { int value; struct node *next; };
        int total; long long wide;
        int twice(int x) { return 2 * x; } int negate(int x) { total += x; return -x; }
        int (*chosen)(int) = twice;
        int main() {
            struct node *list = 0;
            for (unsigned i = 0; i < 4; i++) {
                struct node *n = i & 1 ? malloc(sizeof *n) : calloc(1, sizeof *n);
                if (__VERIFIER_nondet_uint() & 1) n->value = __VERIFIER_nondet_uint() & 7;
                n->next = list; list = n;
            }
            while (list) {
                struct node *n = list;
                chosen = n->value & 1 ? twice : negate;
                total += chosen(n->value & 15);
                wide = wide * 3 + total;
                list = n->next; free(n);
            }
            int undefined[3]; int copy = undefined[total & 1];
            if (wide + copy == 12345) __VERIFIER_error();
            return 0;
        }";
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let facts = Facts::of(compile(text, model));
        for (seed, narrow) in (0..20).zip([true, false].into_iter().cycle()) {
            let run = follow(&facts, &Options { narrow, ..Options::default() }, seed);
            assert_eq!(run.end, End::Finished);
            assert!(run.blocks > 30, "{} blocks", run.blocks);
            let small = follow(&facts, &Options { heap: 64, ..Options::default() }, seed);
            assert_eq!(small.end, End::Bound, "four objects and the space between them do not fit");
        }
    }
}
