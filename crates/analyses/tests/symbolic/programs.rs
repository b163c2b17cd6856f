//! C programs, followed step by step.

use crate::follow::{compile, follow};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::DataModel;
use robusto_interp::Outcome;

const HEADER: &str = "
    typedef unsigned long size_t;
    extern int __VERIFIER_nondet_int(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern unsigned __VERIFIER_nondet_uint(void);
    extern void __VERIFIER_assume(int);
    extern void __VERIFIER_error(void);
    extern void *malloc(size_t);
    extern void *calloc(size_t, size_t);
    extern void free(void *);
    extern void *memcpy(void *, const void *, size_t);
    extern void *memmove(void *, const void *, size_t);
    extern void *memset(void *, int, size_t);
    void check(int c) { if (!c) __VERIFIER_error(); }
    ";

/// Follows a program that must end normally, in both data models, in one block and in blocks of several lengths.
fn check(body: &str) {
    check_in(body, &[None, Some(1), Some(3), Some(7), None, Some(20)]);
}

fn check_in(body: &str, blocks: &[Option<u64>]) {
    let text = format!("{HEADER}{body}");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let text = if model == DataModel::Ilp32 {
            text.replace("unsigned long size_t", "unsigned size_t")
        } else {
            text.clone()
        };
        let facts = Facts::of(compile(&text, model));
        for (seed, &block) in blocks.iter().enumerate() {
            let (outcome, steps, approximations) = follow(&facts, seed as u64, block, 3000);
            assert!(matches!(outcome, Outcome::Exited(0)), "{model}: {}", outcome.describe(&facts.program));
            assert!(steps > 3);
            assert_eq!(approximations, Vec::<String>::new(), "{model} is exact");
        }
    }
}

#[test]
fn integers() {
    check(
        "int main() {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            unsigned char c = __VERIFIER_nondet_uchar();
            long long wide = (long long)x * y + c;
            int s = 0;
            for (int i = 0; i < 5; i++) { s += x >> i; if (s & 1) s ^= c; else s -= y; }
            if (y != 0 && y != -1) { s += x / y; s ^= x % y; }
            unsigned u = (unsigned)x / ((unsigned)c + 1) << (c & 7);
            wide = wide / 3 - u;
            if (x < y && (unsigned)x > c) wide = -wide;
            return 0;
        }",
    );
}

#[test]
fn pointers_to_variables() {
    check(
        "int g = 7;
        void set(int *p, int v) { *p = v; }
        int main() {
            int a = 1, b = 2;
            int *p = __VERIFIER_nondet_int() > 5 ? &a : &b;
            *p = 10;
            set(p == &a ? &b : &a, 20);
            check(a + b == 30);
            set(&g, a);
            check(g == 10 || g == 20);
            int **pp = &p;
            **pp += 5;
            check(*p == 15);
            return 0;
        }",
    );
}

#[test]
fn structs_unions_arrays() {
    check(
        "struct point { int x; char tag; struct { long z; short w; } in; };
        struct point origin = { 1, 'a', { 3, 4 } };
        union both { unsigned u; unsigned char bytes[4]; float f; };
        int table[6] = { 5, 4, 3, 2, 1 };
        int main() {
            struct point p = origin, q;
            p.x += __VERIFIER_nondet_int() & 15;
            q = p;
            struct point *r = &q;
            r->in.w = 9;
            check(q.x == p.x && q.in.w == 9 && p.in.w == 4 && r->in.z == 3 && q.tag == 'a');
            union both b;
            b.u = 0x01020304;
            b.bytes[1] = __VERIFIER_nondet_uchar();
            unsigned v = b.u;
            check((v & 0xffff00ff) == 0x01020004);
            int i = __VERIFIER_nondet_int() & 3;
            table[i] = 42;
            int s = 0;
            for (int k = 0; k < 6; k++) s += table[k];
            check(table[i] == 42);
            int local[4] = { 1, 2 };
            local[i] += local[3 - i];
            struct point many[3];
            many[i % 3] = p;
            many[(i + 1) % 3] = many[i % 3];
            check(many[(i + 1) % 3].in.z == 3);
            return 0;
        }",
    );
}

#[test]
fn copies_and_fills() {
    check(
        "char text[] = \"hello\";
        struct s { int a; short b; short c; char *name; };
        int main() {
            char buffer[16];
            memset(buffer, 0, sizeof buffer);
            memcpy(buffer, text, sizeof text);
            memmove(buffer + 1, buffer, 6);
            check(buffer[0] == 'h' && buffer[1] == 'h' && buffer[5] == 'o');
            unsigned n = __VERIFIER_nondet_uint() & 7;
            memset(buffer + 8, 'x', n);
            check(n == 0 || buffer[8] == 'x');
            memcpy(buffer, buffer + 8, n);
            struct s x, y;
            memset(&x, 0, sizeof x);
            x.b = 5; x.name = text;
            memcpy(&y, &x, sizeof x);
            check(y.a == 0 && y.b == 5 && y.c == 0 && y.name[4] == 'o');
            int a[40], b[40];
            for (int i = 0; i < 40; i++) a[i] = i;
            memcpy(b, a, sizeof a);
            memcpy(b + 3, a + 1, n * sizeof(int));
            check(b[2] == 2 && (n == 0 || b[3] == 1));
            int c = b[__VERIFIER_nondet_uint() % 40];
            memset(b, 0xff, 8);
            check(b[1] == -1 && b[2] == 2);
            int cut = 0x01020304, *whole = &cut;
            memset(whole, 9, 3);
            check(*whole == 0x01090909);
            unsigned char *raw = (unsigned char *)&x;
            raw[0] = 1;
            check(x.a == 1);
            return c >= 0 ? 0 : 1;
        }",
    );
}

#[test]
fn function_pointers() {
    check(
        "int add(int a, int b) { return a + b; }
        int sub(int a, int b) { return a - b; }
        int (*ops[2])(int, int) = { add, sub };
        int apply(int (*f)(int, int), int x) { return f(x, 3); }
        int main() {
            int i = __VERIFIER_nondet_int() & 1;
            int r = apply(ops[i], 10);
            check(r == (i ? 7 : 13));
            int (*f)(int, int) = i ? add : sub;
            check(f(1, 1) == (i ? 2 : 0));
            return 0;
        }",
    );
}

#[test]
fn recursion() {
    check(
        "int fact(int n) { if (n <= 1) return 1; int below = fact(n - 1); return n * below; }
        int even(unsigned n);
        int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
        int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
        int sum(int *a, int n) { int rest[1]; if (n == 0) return 0; rest[0] = sum(a + 1, n - 1); return a[0] + *rest; }
        void swap(int n, int *x, int *y) { int t = n; if (n > 0) swap(n - 1, y, x); else { t = *x; *x = *y; *y = t; } check(n == 0 || t == n); }
        int fib(int n, int m) { if (n < 2) return n + m - m; return fib(n - 1, n) + fib(n - 2, m); }
        int main() {
            int n = __VERIFIER_nondet_int() & 3;
            int f = fact(n + 1);
            check(f == 1 || f == 2 || f == 6 || f == 24);
            check(even(n) == !(n & 1));
            int a[5] = { 1, 2, 3, 4, n };
            check(sum(a, 5) == 10 + n);
            int x = 1, y = 2;
            swap(3, &x, &y);
            check(x == 2 && y == 1);
            check(fib(5, 1) == 5);
            return 0;
        }",
    );
}

#[test]
fn heap() {
    check(
        "struct node { int value; struct node *next; };
        struct node *push(struct node *list, int value) {
            struct node *n = malloc(sizeof *n);
            n->value = value; n->next = list;
            return n;
        }
        int main() {
            struct node *list = 0;
            int k = __VERIFIER_nondet_int() & 3;
            for (int i = 0; i < k + 1; i++) list = push(list, i);
            int s = 0;
            for (struct node *n = list; n; n = n->next) s += n->value;
            check(s == k * (k + 1) / 2);
            int *z = calloc(k + 2, sizeof(int));
            check(z[k] == 0 && z[0] == 0);
            z[k] = 5;
            char *bytes = malloc(10 + k);
            bytes[k] = 3;
            check(z[k] == 5 && bytes[k] == 3);
            while (list) { struct node *n = list->next; free(list); list = n; }
            return 0;
        }",
    );
}

#[test]
fn strings_and_statics() {
    check(
        "const char *names[] = { \"zero\", \"one\", \"two\" };
        int length(const char *s) { int n = 0; while (*s++) n++; return n; }
        int counter(void) { static int n = 3; return n++; }
        int main() {
            int i = __VERIFIER_nondet_int() & 1;
            check(length(names[i]) == 4 - i);
            check(names[2][1] == 'w');
            counter();
            check(counter() == 4);
            names[i] = \"abcdef\";
            check(length(names[i]) == 6);
            return 0;
        }",
    );
}

#[test]
fn floats_as_bits() {
    // Where a block starts, constants become inputs, and arithmetic on them is no longer folded.
    check_in(
        "int main() {
            double d = 1.5; float f = -2.0f;
            union { unsigned u; float f; } any;
            any.u = __VERIFIER_nondet_uint();
            int less = any.f < f, same = any.f == any.f, most = any.f <= 3.0f, differ = any.f != -f;
            float n = -any.f;
            int other = n > 2.0f;
            double e = d + 2.0 * d;
            check(e == 4.5 && f < d);
            any.f = 0.0f; check(any.f == -any.f); any.u |= 0x80000000; check(any.f == 0.0f);
            return (less + same + most + differ + other + (int)e) * 0;
        }",
        &[None; 6],
    );
}

#[test]
fn wide_integers_and_bit_fields() {
    check(
        "struct bits { unsigned a : 3; int b : 5; unsigned c : 20; };
        int main() {
            unsigned x = __VERIFIER_nondet_uint();
            struct bits s; s.a = x; s.b = x >> 3; s.c = 7;
            struct bits *p = &s; p->b++;
            check(s.c == 7 && s.a == (x & 7));
            _Bool t = x; _Bool *q = &t; *q = *q && s.a;
            return 0;
        }",
    );
}

/// The interpreter's own test programs, except one that computes with addresses as numbers, and one whose function
/// pointers pass through variable arguments.
#[test]
fn programs_of_the_interpreter() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../interp/tests/programs");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.retain(|p| !p.ends_with("pointers.c") && !p.ends_with("varargs.c"));
    paths.sort();
    let mut followed = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let facts = Facts::of(compile(&text, DataModel::Lp64));
        let run = std::panic::catch_unwind(|| follow(&facts, 1, None, 2500));
        let (outcome, steps, _) = run.unwrap_or_else(|_| panic!("{}", path.display()));
        let ended = matches!(outcome, Outcome::Exited(_) | Outcome::StepLimit);
        assert!(ended, "{}: {}", path.display(), outcome.describe(&facts.program));
        followed += steps;
    }
    assert!(followed > 20_000, "{followed} steps were checked");
}

/// Neither long expressions nor long paths need a deep stack.
#[test]
fn long_expressions_and_paths() {
    let sum = "x ^ y + ".repeat(3000) + "1";
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);
        int main() {{
            int x = __VERIFIER_nondet_int() & 7, y = __VERIFIER_nondet_int() & 7, z = 0;
            for (int i = 0; i < 300; i++) {{ z = z * 3 + (x ^ i); if (z & 1) y++; y &= 63; }}
            z = {sum};
            if (z == 5) return 1;
            return 0;
        }}"
    );
    // The lowering recurses over the tree, for which the command line has a large stack; what comes behind does not.
    let lowering = std::thread::Builder::new().stack_size(64 << 20);
    let program = lowering.spawn(move || compile(&text, DataModel::Lp64)).expect("a thread").join().expect("a program");
    let facts = Facts::of(program);
    let (outcome, steps, _) = follow(&facts, 1, None, 10_000);
    assert!(matches!(outcome, Outcome::Exited(_)), "{}", outcome.describe(&facts.program));
    assert!(steps > 1500);
}
