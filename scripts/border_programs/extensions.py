"""Features: GNU C."""

from .program import feature


@feature(3)
def nested_functions(p):
    p.top("static int apply$f(int (*g)(int), int n) { int s = 0; while (n > 0) s += g(n--); return s; }\n")
    p.body("""
int captured = $x, calls = 0;
int inner(int v) { calls++; captured += $y; return (int)($e & 0xff); }
OUT(inner(3));
OUT($apply);
OUT(captured * 10 + calls);
{
    auto int deeper(int);
    int deeper(int v) { int most(void) { return v + captured; } return most() + calls; }
    OUT(deeper($y));
}
""", x=p.small(), y=p.small(), e=p.expression(["v", "captured"]),
           apply=p.pick("apply$f(inner, $n)", "inner(inner($n))", "apply$f(calls ? inner : 0, 2)"), n=p.small(1, 3))


@feature(3)
def statement_expressions(p):
    p.top("#define MAX$f(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })\n")
    p.body("""
int x = $x, y = $y;
OUT(MAX$f(x++, y--));
OUT(x * 10 + y);
int z = ({ int s = 0; for (int i = 0; i < x; i++) { if (i == 3) break; s += i; } s; }) + MAX$f(1, MAX$f(x, 2));
OUT(z);
OUT(({ goto over; x; }) ? 1 : 2);
over:
while (({ y++; y < $n; })) MIX(y);
OUT(y ?: x);
OUT((x - x) ?: 5);
struct { int a[2]; } st = ({ __typeof__(st) t = {{x, y}}; t; });
OUT(st.a[1]);
""", x=p.small(), y=p.small(), n=p.small(3, 12))


@feature()
def labels_as_values(p):
    p.body("""
static const void *const table[] = {&&add, &&twice, &&stop, &&back};
const unsigned char code[] = {$code, 2};
int pc = 0, x = $x, budget = 9;
goto *table[code[pc++]];
add: x += 3; goto *table[code[pc++]];
twice: x *= 2; MIX(x); goto *table[code[pc++]];
back: if (budget-- > 5 && pc > 1) pc -= 2; goto *table[code[pc++]];
stop: OUT(x);
{
    __label__ local;
    void *where = &&local;
    if ($x > 4) goto *where;
    x = 0;
local:
    OUT(x + pc);
}
""", code=", ".join(str(p.pick(0, 1, 0, 1, 3)) if i else "0" for i in range(4)), x=p.small())


@feature()
def ranges(p):
    p.body("""
int s = 0;
for (int i = -2; i < 14; i += $step) {
    switch (i) { case 0 ... 3: s += 1; break; case 4 ... $high: s += 10; case -2: s *= 2; break; default: s -= 3; }
}
OUT(s);
int a[] = {[0 ... 3] = $x, [2] = 5, [6 ... 7] = 1};
for (unsigned i = 0; i < sizeof a / sizeof *a; i++) MIX(a[i]);
__auto_type t = a[2] * 2.5;
OUT(t * 2 + sizeof t);
struct empty {} none;
OUT(sizeof none + sizeof(void) + __alignof__(short));
OUT(__builtin_choose_expr(sizeof(int) == 4, $x, "no") + __builtin_types_compatible_p(int, signed));
OUT(0b101 + (int)__builtin_offsetof(struct { char c; int i[3]; }, i[2]));
""", step=p.rng.randint(1, 3), high=p.rng.randint(4, 8), x=p.rng.randint(1, 9))


@feature(3)
def packed(p):
    p.top("""
$start
struct pack$f { char a; $t b; short c; struct { char d; int e; } in; }$end
struct al$f { char a; int b __attribute__((aligned($n))); char c; };
static struct pack$f list$f[2] = {{1, 2, 3, {4, 5}}, {.in.e = $x}};
""", **p.pick({"start": "#pragma pack(push, 1)", "end": ";\n#pragma pack(pop)"},
              {"start": "#pragma pack(2)", "end": ";\n#pragma pack()"},
              {"start": '_Pragma("pack(1)")', "end": ';\n_Pragma("pack()")'},
              {"start": "", "end": " __attribute__((packed));"}, {"start": "", "end": " __attribute__((packed, aligned(2)));"}),
          t=p.pick("int", "long", "double"), n=p.pick("8", "16", "2"), x=p.rng.randint(0, 999))
    p.body("""
struct pack$f s = list$f[1];
s.b = $y; s.in.e += $y;
OUT(sizeof s * 1000 + offsetof(struct pack$f, c) * 10 + offsetof(struct pack$f, in.e));
OUT(sizeof(struct al$f) * 100 + offsetof(struct al$f, b) + _Alignof(struct al$f));
unsigned char *q = (unsigned char *)&s;
memset(q, 0, sizeof s);
s.c = $y; s.in.e = 0x01020304;
for (unsigned i = 0; i < sizeof s; i++) MIX(q[i]);
OUT(list$f[0].in.e + list$f[0].c + s.b);
""", y=p.small())


@feature(3)
def constructors(p):
    early, late = p.pick(("(101)", "(102)"), ("(150)", "(120)"), ("(200)", ""))
    p.top("""
static int trace$f = $x;
__attribute__((constructor$late)) static void second$f(void) { trace$f = trace$f * 10 + 2; }
__attribute__((constructor$early)) static void first$f(void) { trace$f = trace$f * 10 + 1; }
""", early=early, late=late, x=p.rng.randint(0, 9))
    p.body("OUT(trace$f);\n")


@feature(ending=True)
def destructors(p):
    p.judge_late("(void)0;")
    early, late = p.pick(("(110)", "(120)"), ("(150)", "(130)"), ("(200)", ""))
    p.top("""
static int ends$f;
__attribute__((destructor(105))) static void judge$f(void) { outcome(); }
__attribute__((destructor$early)) static void a$f(void) { ends$f = ends$f * 10 + 1; OUT(ends$f); }
__attribute__((destructor$late)) static void b$f(void) { ends$f = ends$f * 10 + 2; OUT(ends$f); }
static void c$f(void) { ends$f = ends$f * 10 + 3; }
""", early=early, late=late)
    p.body("ends$f = $x;\natexit(c$f);\n$end\n", x=p.small(), end=p.pick("", "exit(0);"))


@feature(3)
def cleanup(p):
    p.top("""
static int trail$f;
static void close$f(int *x) { trail$f = (trail$f * 10 + *x) % 100000; }
static int early$f(int n) {
    __attribute__((cleanup(close$f))) int a = 1;
    if (n > 2) return trail$f + a;
    for (int i = 0; i < 2; i++) {
        int b __attribute__((cleanup(close$f))) = 2 + i;
        if (i == n) $way;
    }
    __attribute__((cleanup(close$f))) int c = 9;
    a = 5;
    return a;
}
""", way=p.pick("break", "continue", "return 7"))
    p.body("""
OUT(early$f($n));
OUT(trail$f);
int late = early$f(4);
OUT(late + trail$f);
{ int d __attribute__((cleanup(close$f))) = 6; trail$f = 0; }
OUT(trail$f);
""", n=p.small(0, 2))


@feature(3)
def symbols(p):
    p.top("""
int real$f(int x) { return x * $x + 1; }
int other$f(int x) __attribute__((alias("real$f")));
__attribute__((weak)) int maybe$f(void) { return 5; }
extern int absent$f(void) __attribute__((weak));
extern int nowhere$f __attribute__((weak));
int object$f = $y;
extern int second$f __attribute__((alias("object$f")));
__attribute__((const)) static int square$f(int x) { return x * x; }
__attribute__((pure, noinline)) static int look$f(const int *q) { return *q + object$f; }
static int named$f(int) __asm__("spelled$f");
static int named$f(int x) { return x - 1; }
static int spare$f(int x) { return x + 40; }
""", x=p.rng.randint(2, 9), y=p.rng.randint(0, 99))
    p.body("""
OUT(other$f($n) + maybe$f());
OUT((absent$f != 0 || absent$f == 0) + 2 * (!&nowhere$f + !!&nowhere$f));
second$f += $n;
OUT(object$f);
OUT(square$f($n) + look$f(&second$f));
OUT(named$f($n) + (absent$f ? 41 : spare$f(1)) + (maybe$f ? maybe$f() : 9));
int (*q)(int) = other$f;
OUT((q == real$f) + q(2));
""", n=p.small())


@feature(4)
def bit_builtins(p):
    p.body("""
unsigned x = $x; unsigned long long y = $y; int s = $s;
OUT(__builtin_clz(x) * 100 + __builtin_ctz(x));
OUT(__builtin_clzll(y) * 100 + __builtin_ctzll(y));
OUT(__builtin_popcount(x) * 100 + __builtin_popcountll(y) + __builtin_parity(x));
OUT(__builtin_ffs(s) * 100 + __builtin_ffsll(0));
OUT(__builtin_clrsb(s) * 100 + __builtin_clrsbll(s));
OUT(__builtin_bswap16(x) + __builtin_bswap32(x) % 1000);
OUT(__builtin_bswap64(y) >> 3);
OUT(__builtin_expect(s > 0, 1) + __builtin_abs(s));
OUT(x << 3 | x >> 29);
OUT(ffs(s) + ffsl((long)y));
""", x=p.rng.randint(1, 2**32 - 1), y=f"{p.rng.randint(1, 2**64 - 1)}ull", s=p.rng.randint(-1000, 1000))


@feature(4)
def overflow_builtins(p):
    kind = p.pick("int", "unsigned", "short", "unsigned char", "long long", "unsigned long long", "signed char",
                  "unsigned short")
    operation = p.pick("add", "sub", "mul")
    p.body("""
$kind r = 0;
OUT(__builtin_${op}_overflow($a, $b, &r));
OUT(r);
int i; unsigned u; long l;
int over = __builtin_sadd_overflow(INT_MAX, $x, &i);
OUT(over * 2 + (i < 0));
OUT(__builtin_usub_overflow($x, 7u, &u));
OUT(u);
OUT(__builtin_smull_overflow(LONG_MAX, $x, &l));
OUT(__builtin_${op}_overflow_p($a, $b, ($kind)0) + 2 * __builtin_add_overflow_p(1, $x, (signed char)0));
__int128 w = 0;
over = __builtin_mul_overflow((__int128)$a, $b, &w);
OUT(over + (long long)w % 1000);
""", kind=kind, op=operation, a=p.pick("100", "-100", "200u", "INT_MAX", "-1", "4000000000u", "1LL << 62", "LLONG_MIN"),
           b=p.pick("1", "100", "-3", "2u", "INT_MIN", "3LL", "~0ull"), x=p.small(0, 9))


@feature(3)
def atomics(p):
    suffix = p.pick("__ATOMIC_SEQ_CST", "__ATOMIC_RELAXED", "__ATOMIC_ACQ_REL")
    p.body("""
int x = $x, old = $x, got, want = $y, was; unsigned char c = 250; long l = 5; _Bool flag = 0;
was = __atomic_fetch_add(&x, $y, $m);
OUT(was * 100 + x);
OUT(__atomic_sub_fetch(&x, 3, $m));
was = __atomic_fetch_$op(&c, 77, $m);
OUT(was * 1000 + c);
was = __sync_fetch_and_add(&l, 4);
OUT(was * 10 + __sync_add_and_fetch(&l, 1));
OUT(__atomic_compare_exchange_n(&x, &old, 99, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
OUT(x * 1000 + old);
was = __sync_bool_compare_and_swap(&x, $z, 7);
OUT(was + 2 * __sync_val_compare_and_swap(&x, x, 8));
__atomic_store(&x, &want, __ATOMIC_SEQ_CST);
__atomic_load(&x, &got, __ATOMIC_SEQ_CST);
OUT(got + x);
__atomic_exchange(&x, &want, &got, __ATOMIC_SEQ_CST);
was = __atomic_exchange_n(&c, 3, $m);
OUT(was + c);
was = __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
OUT(was + 2 * flag);
__atomic_clear(&flag, __ATOMIC_SEQ_CST);
was = __sync_lock_test_and_set(&x, 4);
OUT(flag + 2 * was + x);
__sync_synchronize();
OUT(__atomic_nand_fetch(&x, 6, $m) + __atomic_is_lock_free(sizeof(int), 0));
""", x=p.small(), y=p.small(), z=p.small(), m=suffix, op=p.pick("xor", "or", "and", "nand", "sub"))


@feature()
def atomic_types(p):
    p.top("#include <stdatomic.h>\nstatic _Atomic int count$f = $x;\nstatic atomic_flag lock$f = ATOMIC_FLAG_INIT;\n",
          x=p.rng.randint(0, 9))
    p.body("""
count$f += $y;
OUT(count$f++);
int was = atomic_fetch_sub(&count$f, 2);
OUT(was * 10 + atomic_load(&count$f));
int e = $z;
was = atomic_compare_exchange_strong(&count$f, &e, 50);
OUT(was * 100 + e);
was = atomic_exchange(&count$f, 4);
OUT(was + count$f);
OUT(atomic_flag_test_and_set(&lock$f));
atomic_flag_clear(&lock$f);
OUT(atomic_flag_test_and_set(&lock$f));
_Atomic short h = 3;
h *= $y; atomic_store(&h, h - 1);
OUT(h);
""", y=p.small(), z=p.small())


@feature()
def assembly(p):
    p.body("""
int x = $x, y = $y;
__asm__ volatile("" : "+r"(x));
OUT(x);
__asm__ volatile("" : : "r"(y), "i"(3) : $clobber);
OUT(x * 10 + y);
__asm__("" : "=r"(x) : "0"(y));
OUT(x);
""", x=p.small(), y=p.small(), clobber=p.pick('"memory"', '"cc"'))


@feature(3)
def instructions(p):
    condition = p.pick("e", "ne", "b", "ae", "be", "a", "s", "ns", "o", "no", "l", "ge", "le", "g")
    by, to = p.pick(("r", "+&r"), ("ir", "+m"), ("m", "+&r"), ("r", "+m"))
    p.body("""
unsigned x = $x * 0x10203u - 5, y = $y * 0x70000001u, z = 3;
unsigned char c;
__asm__("$op %3,%0; set$condition %1; cmov$condition %0,%2" : "$to"(x), "=&q"(c), "+&r"(z) : "$by"(y));
OUT(x); OUT(c); OUT(z);
__asm__("$shift %1,%0; $change %0" : "+r"(x) : "I"($amount));
OUT(x);
__asm__("$pair %0,%1" : "+r"(x), "$place"(y) : : "memory");
OUT(x); OUT(y);
unsigned words[4] = {x, y, z, c};
int bit = $bit * 7 - 20, was;
__asm__ volatile("lock; bt$what %2,%1\\n\\tsbb %0,%0" : "=r"(was), "+m"(words[1]) : "r"(bit) : "memory");
OUT(was);
for (int i = 0; i < 4; i++) MIX(words[i]);
__asm__("lock; cmpxchgl %3,%1; setz %2" : "+a"(z), "+m"(words[2]), "=q"(c) : "r"(y) : "memory");
OUT(z); OUT(words[2]); OUT(c);
unsigned short narrow = (unsigned short)y;
unsigned long wide;
__asm__("mov$extended %1,%k0" : "=r"(wide) : "$from"(narrow));
OUT(wide);
""", x=p.small(), y=p.small(), bit=p.small(), amount=p.rng.randint(0, 31), condition=condition, by=by, to=to,
           op=p.pick("addl", "subl", "andl", "orl", "xorl", "cmpl"), shift=p.pick("shll", "shrl", "sarl", "roll", "rorl"),
           change=p.pick("incl", "decl", "negl", "notl", "bswapl"), pair=p.pick("xchgl", "xaddl"), place=p.pick("+m", "+r"),
           what=p.pick("s", "r", "c"), extended=p.pick("zwl", "swl"), **{"from": p.pick("r", "m")})


@feature()
def byte_order(p):
    p.top("""
struct big$f { unsigned short h; unsigned w : 12; unsigned r : 20; int i; }$attribute;
typedef union { int *p; unsigned long *q; } either$f __attribute__((transparent_union));
static long take$f(either$f e) { return *e.p; }
""", attribute=p.pick(' __attribute__((scalar_storage_order("big-endian")))',
                           ' __attribute__((scalar_storage_order("little-endian")))'))
    p.body("""
struct big$f b;
memset(&b, 0, sizeof b);
b.h = 0x1234; b.w = $x; b.r = 5; b.i = $x;
unsigned char *q = (unsigned char *)&b;
for (unsigned i = 0; i < sizeof b; i++) MIX(q[i]);
b.i += 2; b.w++;
OUT(b.i * 10 + b.w + b.h);
int n = $x;
OUT(take$f(&n));
""", x=p.rng.randint(1, 2000))


@feature()
def object_sizes(p):
    p.body("""
char a[$n], *q = a + 2;
struct { char x; int y[3]; } s;
OUT(__builtin_object_size(a, 0) * 100 + sizeof s.y);
OUT(__alignof__(s) * 10 + __alignof__(s.x) + __alignof__(long));
OUT(__builtin_strlen("abc") + __builtin_memcmp("ab", "ac", 1));
__builtin_memset(a, 'x', 3); a[3] = 0;
OUT(__builtin_strcmp(a, "xxx") == 0);
OUT(q[0] + __builtin_toupper('a'));
char *d = __builtin_alloca($n);
d[0] = 5;
OUT(d[0] + !!__builtin_isnan(0.0) + !!__builtin_signbit(-1.0) + __builtin_inf() / 2.0 > 1);
OUT(__builtin_fabs(-2.5) * 2 + __builtin_labs(-4));
if (0) __builtin_unreachable();
""", n=p.rng.randint(5, 20))


@feature()
def vectors(p):
    p.top("typedef int vec$f __attribute__((vector_size(16)));\n")
    p.body("""
vec$f a = {$numbers}, b = {1, 2, 3, 4}, c = a * 2 + b;
OUT(c[0] + c[3] * 3);
c = a > b;
OUT(c[1] + 2 * c[2]);
c[2] = $x;
OUT((c ^ b)[2]);
""", numbers=p.numbers(4), x=p.small())


@feature()
def complex_numbers(p):
    p.body("""
_Complex double z = $a + 2.0i, w = z * z;
OUT(__real__ w * 4);
OUT(__imag__ w * 4);
__imag__ z = $b;
OUT((z == w) + 2 * (z != w) + sizeof z);
""", a=p.pick("1.0", "-0.5"), b=p.small())
