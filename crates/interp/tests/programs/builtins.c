// Builtins of the compiler: questions, bit counts, overflow, classes of floats.
int printf(const char *, ...);

struct s { int a; } s;
union u { int a; } u;
struct bits { int b : 3; unsigned u : 5; } bits;
static int array[3], *pointer, five = 5;
static char character;
static float single;
static volatile double one = 1, zero = 0, tiny = 1e-310;
static volatile float small = 1e-40f;
static void function(void) {}
static int calls;
static int next(void) { return ++calls; }

static void classes(void) {
    printf("%d %d %d %d %d %d %d %d\n", __builtin_classify_type(1), __builtin_classify_type(character),
           __builtin_classify_type(single), __builtin_classify_type(pointer), __builtin_classify_type(s),
           __builtin_classify_type(u), __builtin_classify_type(array), __builtin_classify_type(function));
    printf("%d %s\n", __builtin_LINE(), __builtin_FUNCTION());
    printf("%d %d\n", __builtin_constant_p(3), __builtin_constant_p(3 * sizeof(int)));
    printf("%d %d %d\n", (int)__builtin_object_size(array, 0), (int)__builtin_object_size(array + 1, 0),
           (int)__builtin_object_size(&array[1], 2));
    int r = __builtin_expect(next(), 1);
    printf("%d %d\n", r, calls);
    r = __builtin_constant_p(next());
    printf("%d %d\n", r, calls);
}

static void counts(void) {
    for (int i = -300; i < 2000000000 / 7; i = i * 7 + 2000) printf("%d %d ", __builtin_clrsb(i), __builtin_clrsbll((long long)i * i * -i));
    printf("%d %d %d\n", __builtin_clrsb(0), __builtin_clrsb(-1), __builtin_clrsbll(5));
}

static void overflow(void) {
    unsigned ur;
    int ir, o;
    signed char sc;
    unsigned char uc;
    long long ll;
    unsigned long long ull;
    o = __builtin_uadd_overflow(4 - five, 1, &ur);
    printf("%d %u\n", o, ur);
    o = __builtin_uadd_overflow(0x1ffffffffll * five, 1, &ur);
    printf("%d %u\n", o, ur);
    o = __builtin_sadd_overflow(0xffffffffu, -five, &ir);
    printf("%d %d\n", o, ir);
    o = __builtin_smul_overflow(five * 1000000, 1000, &ir);
    printf("%d %d\n", o, ir);
    o = __builtin_mul_overflow(five * 20, 2, &sc);
    printf("%d %d\n", o, sc);
    o = __builtin_sub_overflow(five, 6, &uc);
    printf("%d %d\n", o, uc);
    o = __builtin_mul_overflow(0x8000000000000000ull, (long long)-five / 5, &ll);
    printf("%d %lld\n", o, ll);
    o = __builtin_mul_overflow(-1ll, -1ll * five, &ull);
    printf("%d %llu\n", o, ull);
    o = __builtin_mul_overflow(0xffffffffu * (unsigned)(five / 5), 0xffffffffu, &ll);
    printf("%d %lld\n", o, ll);
    o = __builtin_add_overflow(five, -6, &ull);
    printf("%d %llu\n", o, ull);
    printf("%d %d\n", __builtin_add_overflow_p(five, 2147483643, (int)0), __builtin_add_overflow_p(five, 2147483643, 0u));
    printf("%d %d %d %d\n", __builtin_add_overflow_p(five, -2, bits.b), __builtin_add_overflow_p(five, -1, bits.b),
           __builtin_add_overflow_p(five, 26, bits.u), __builtin_add_overflow_p(five, 27, bits.u));
}

static void floats(void) {
    printf("%d %d\n", __builtin_isinf_sign(-one / zero), __builtin_isinf(one / zero));
    printf("%d %d %d\n", !!__builtin_signbit(-zero), !!__builtin_signbit(zero), !!__builtin_signbitf(-(float)zero));
    printf("%d %d %d %d %d %d\n", __builtin_isnormal(one), __builtin_isnormal(tiny), __builtin_isnormal(-tiny),
           __builtin_isnormal(small), __builtin_isnormal(zero), __builtin_isnormal(one / zero));
    printf("%d %d %d\n", __builtin_isfinite(one), __builtin_isfinite(one / zero), __builtin_isfinite(zero / zero));
    printf("%d %d %d %d %d %d\n", __builtin_fpclassify(0, 1, 2, 3, 4, one), __builtin_fpclassify(0, 1, 2, 3, 4, zero),
           __builtin_fpclassify(0, 1, 2, 3, 4, tiny), __builtin_fpclassify(0, 1, 2, 3, 4, zero / zero),
           __builtin_fpclassify(0, 1, 2, 3, 4, -one / zero), __builtin_fpclassify(0, 1, 2, 3, 4, small));
    printf("%d %d %d\n", __builtin_isgreater(one, zero), __builtin_isless(one, zero / zero), __builtin_isunordered(one, zero / zero));
    printf("%g %g\n", __builtin_powi(2.0, -3), (double)__builtin_powif(2.5f, 2));
    unsigned long long raw;
    double n = __builtin_nan("12");
    __builtin_memcpy(&raw, &n, 8);
    printf("%llx\n", raw);
    n = __builtin_nan("");
    __builtin_memcpy(&raw, &n, 8);
    printf("%llx\n", raw);
    float f = __builtin_nanf("0x12");
    unsigned narrow;
    __builtin_memcpy(&narrow, &f, 4);
    printf("%x\n", narrow);
}

int main(void) {
    classes();
    counts();
    overflow();
    floats();
    return 0;
}
