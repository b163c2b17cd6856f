// Prints the bytes of results of operations on `long double`, on random and special operands.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long long state = 7;
static unsigned long long bits(void) {
    unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

static long double number(unsigned long long significand, unsigned upper) {
    long double value = 0;
    unsigned short top = (unsigned short)upper;
    memcpy(&value, &significand, 8);
    memcpy((char *)&value + 8, &top, 2);
    return value;
}

static long double any(void) {
    static const unsigned fields[] = {0, 1, 2, 16382, 16383, 16384, 16446, 32765, 32766, 32767};
    unsigned long long choice = bits(), fraction = bits() >> 1;
    unsigned field = fields[choice % 10], sign = (choice >> 8 & 1) << 15;
    if (choice >> 16 & 1) field = 16383 - 40 + (choice >> 20) % 120;
    if (choice >> 17 & 1) fraction = 0;
    if (choice >> 18 & 1) fraction &= ~0ULL << 40;
    // What is no number is quiet: functions differ in what they make of others.
    if (field == 32767 && fraction != 0) fraction |= 1ULL << 62;
    return number(fraction | (unsigned long long)(field != 0) << 63, field | sign);
}

// Of what is no number only that: C leaves its bits open.
static void show(const char *name, long double value) {
    unsigned char bytes[10];
    memcpy(bytes, &value, 10);
    printf("%s ", name);
    if (value != value) printf("nan");
    else for (int i = 9; i >= 0; i--) printf("%02x", bytes[i]);
    printf("\n");
}

struct pair { char c; long double x; };
static long double twice(int count, long double x, struct pair p) { return count * x + p.x; }

int main(void) {
    printf("%d %d %d\n", (int)sizeof(long double), (int)_Alignof(long double), (int)sizeof(struct pair));
    show("third", 1.0L / 3), show("tenth", 0.1L), show("max", LDBL_MAX), show("least", 0x1p-16445L), show("pi", 3.14159265358979323846L);
    static long double initial = 2.0L / 3 - 1;
    show("static", initial);
    printf("%d %d %d\n", LDBL_MANT_DIG, LDBL_MAX_EXP, LDBL_MIN_EXP);
    for (int i = 0; i < 200; i++) {
        long double x = any(), y = any();
        show("+", x + y), show("-", x - y), show("*", x * y), show("/", x / y), show("neg", -x);
        printf("%d%d%d%d%d%d\n", x < y, x <= y, x > y, x >= y, x == y, x != y);
        printf("%d%d%d%d %d\n", !!isnan(x), !!isinf(x), !!isfinite(x), !!isnormal(x), fpclassify(x));
        show("double", (long double)(double)x), show("float", (long double)(float)x);
        if (x > -9e18L && x < 9e18L) printf("%lld %ld\n", (long long)x, lroundl(x));
        if (x > -1 && x < 1.8e19L) printf("%llu\n", (unsigned long long)x);
        show("int", (long double)(long long)bits()), show("unsigned", (long double)bits());
        show("sqrt", sqrtl(x)), show("fabs", fabsl(x)), show("floor", floorl(x)), show("ceil", ceill(x));
        show("trunc", truncl(x)), show("round", roundl(x)), show("rint", rintl(x));
        show("copysign", copysignl(x, y)), show("max", x != y ? fmaxl(x, y) : 0), show("dim", fdiml(x, y));
        int e = 0;
        long double whole = 0, part = frexpl(x, &e), rest = modfl(x, &whole);
        show("frexp", part), show("modf", rest), show("whole", whole);
        if (x == x && x - x == 0) printf("%d\n", e);
        show("ldexp", ldexpl(x, (int)(bits() % 400) - 200));
        if (i % 8 == 0) show("fmod", fmodl(x, y)), show("remainder", remainderl(x, y)), show("fma", fmal(x, y, 1.0L));
        struct pair p = {'a', y};
        show("call", twice(3, x, p));
        x += 1.5, x *= 2, x /= 3, x--;
        show("assigned", x);
        show("mixed", x + 1 + 0.5f + bits() % 10);
    }
    return 0;
}
