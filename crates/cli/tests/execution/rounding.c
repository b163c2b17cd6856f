// Prints results of operations of floats in each rounding mode.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long long state = 3;
static unsigned long long bits(void) {
    unsigned long long z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

static void show(const char *name, const void *value, int size) {
    unsigned char bytes[10];
    memcpy(bytes, value, size);
    printf("%s ", name);
    for (int i = size - 1; i >= 0; i--) printf("%02x", bytes[i]);
    printf("\n");
}

static double middle(void) {
    unsigned long long value = (bits() & (1ULL << 63 | ((1ULL << 52) - 1))) | (1023 - 30 + bits() % 60) << 52;
    double result;
    memcpy(&result, &value, 8);
    return result;
}

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    for (int i = 0; i < 300; i++) {
        double x = middle(), y = middle(), z;
        float f = (float)x, g = (float)y, h;
        long double l = x / 3.0L, m = y / 7.0L, n;
        long long whole = (long long)bits();
        printf("%d\n", fesetround(modes[i % 4]));
        printf("%d\n", fegetround() == modes[i % 4]);
        z = x + y, show("+", &z, 8), z = x - y, show("-", &z, 8), z = x * y, show("*", &z, 8), z = x / y, show("/", &z, 8);
        h = f + g, show("+", &h, 4), h = f - g, show("-", &h, 4), h = f * g, show("*", &h, 4), h = f / g, show("/", &h, 4);
        n = l + m, show("+", &n, 10), n = l - m, show("-", &n, 10), n = l * m, show("*", &n, 10), n = l / m, show("/", &n, 10);
        z = x - x, show("zero", &z, 8), z = sqrt(fabs(x)), show("sqrt", &z, 8), n = sqrtl(fabsl(l)), show("sqrt", &n, 10);
        h = (float)x, show("float", &h, 4), z = (double)l, show("double", &z, 8), h = (float)l, show("float", &h, 4);
        z = (double)whole, show("of", &z, 8), h = (float)whole, show("of", &h, 4), n = (long double)whole, show("of", &n, 10);
        z = (double)(unsigned long long)whole, show("of unsigned", &z, 8), h = (float)(int)whole, show("of int", &h, 4);
        z = rint(x), show("rint", &z, 8), h = nearbyintf(f), show("nearbyint", &h, 4), n = rintl(l), show("rint", &n, 10);
        z = fma(x, y, -x), show("fma", &z, 8), h = fmaf(f, g, f), show("fma", &h, 4);
        printf("%ld %lld %ld\n", lrint(x), llrint(y), lround(x));
        z = floor(x), show("floor", &z, 8), z = round(x), show("round", &z, 8);
        x += 0.1, show("assigned", &x, 8), f *= 1.1f, show("assigned", &f, 4), x++, show("incremented", &x, 8);
        z = 1.0 / 3.0, show("constant", &z, 8);
    }
    printf("%d %d\n", fesetround(0x1234) != 0, fegetround() == FE_TOWARDZERO);
    return 0;
}
