// Prints random operations of the processor: width, operator, direction, operands and result as bits.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;
typedef unsigned __int128 u128;

static u64 state = 1;
static u64 bits(void) {
    u64 z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

static u128 random_float(int exponent, int fraction, int leading) {
    u64 choice = bits() % 8, all = (1ULL << exponent) - 1, bias = all >> 1;
    u64 field = bits() & all, part = bits() & ((1ULL << fraction) - 1);
    if (choice == 0) field = 0;
    if (choice == 1) field = all;
    if (choice == 2 || choice == 3) field = bias + bits() % 9 - 4;
    if (choice == 4) field = bits() % 2 ? 1 + bits() % 3 : all - 1 - bits() % 3;
    if (choice == 5) field = bias + bits() % 130 - 65;
    u64 shape = bits() % 6;
    if (shape == 0) part = 0;
    if (shape == 1) part = (1ULL << fraction) - 1 - bits() % 2;
    if (shape == 2) part &= ~0ULL << (bits() % fraction);
    u128 upper = (u128)field | (u128)(bits() & 1) << exponent;
    if (!leading) return upper << fraction | part;
    // Now and then an encoding that the processor does not make.
    u64 one = bits() % 16 == 0 ? bits() & 1 : field != 0;
    return upper << (fraction + 1) | (u128)one << fraction | part;
}

static void show(u128 value) { printf(" %llx%016llx", (u64)(value >> 64), (u64)value); }

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const char *const names[] = {"nearest", "up", "down", "zero"};

#define LINE(kind, type, expression, ...) do { \
        fesetround(modes[m]); \
        volatile type result = (expression); \
        fesetround(FE_TONEAREST); \
        u128 value = 0; \
        memcpy(&value, (void *)&result, bytes); \
        printf("%d %s %s", width, kind, names[m]); \
        u128 operands[] = {__VA_ARGS__}; \
        for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++) show(operands[i]); \
        show(value); \
        puts(""); \
    } while (0)

#define TYPE(type, exponent, fraction, leading, of_width, FMA, SQRT, RINT) do { \
        int width = of_width; \
        u128 bytes = of_width / 8; \
        u128 x = random_float(exponent, fraction, leading), y = random_float(exponent, fraction, leading); \
        u128 z = random_float(exponent, fraction, leading); \
        u64 whole = bits() >> bits() % 64; \
        volatile type a, b, c; \
        memcpy((void *)&a, &x, bytes), memcpy((void *)&b, &y, bytes), memcpy((void *)&c, &z, bytes); \
        LINE("add", type, a + b, x, y); \
        LINE("sub", type, a - b, x, y); \
        LINE("mul", type, a * b, x, y); \
        LINE("div", type, a / b, x, y); \
        LINE("sqrt", type, SQRT(a), x); \
        LINE("rint", type, RINT(a), x); \
        LINE("fma", type, FMA(a, b, c), x, y, z); \
        LINE("signed", type, (long long)whole, whole); \
        LINE("unsigned", type, whole, whole); \
        u128 small = random_float(8, 23, 0), middle = random_float(11, 52, 0), large = random_float(15, 63, 1); \
        volatile float s; \
        volatile double d; \
        volatile long double l; \
        memcpy((void *)&s, &small, 4), memcpy((void *)&d, &middle, 8), memcpy((void *)&l, &large, 10); \
        if (width > 32) LINE("from32", type, s, small); \
        if (width != 64) LINE("from64", type, d, middle); \
        if (width < 80) LINE("from80", type, l, large); \
        bytes = 8; \
        if (a > -0x1p63 && a < 0x1p63) LINE("whole", long long, (long long)a, x); \
        LINE("less", long long, a < b, x, y); \
        LINE("equal", long long, a == b, x, y); \
    } while (0)

int main(int count, char **args) {
    long times = count > 1 ? atol(args[1]) : 100;
    for (long i = 0; i < times; i++) {
        int m = i % 4;
        TYPE(float, 8, 23, 0, 32, fmaf, sqrtf, rintf);
        TYPE(double, 11, 52, 0, 64, fma, sqrt, rint);
        TYPE(long double, 15, 63, 1, 80, fmal, sqrtl, rintl);
    }
}
