static unsigned long long bits(double x) {
    union { double f; unsigned long long u; } both;
    both.f = x;
    return both.u;
}
static unsigned bitsf(float x) {
    union { float f; unsigned u; } both;
    both.f = x;
    return both.u;
}
int __signbit(double x) { return bits(x) >> 63 != 0; }
int __signbitf(float x) { return bitsf(x) >> 31 != 0; }
int __builtin_signbit(double x) { return __signbit(x); }
int __builtin_signbitf(float x) { return __signbitf(x); }
double copysign(double x, double y) { return __signbit(x) == __signbit(y) ? x : -x; }
float copysignf(float x, float y) { return __signbitf(x) == __signbitf(y) ? x : -x; }
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int __isinf(double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int __isinff(float x) { return (x == __builtin_inff()) - (x == -__builtin_inff()); }
int isinf(double x) { return __isinf(x); }
int isinff(float x) { return __isinff(x); }
int __finite(double x) { return x - x == 0; }
int finite(double x) { return x - x == 0; }
int finitef(float x) { return x - x == 0; }
int __finitef(float x) { return x - x == 0; }
int __fpclassify(double x) {
    if (x != x) return 0;
    if (x - x != 0) return 1;
    if (x == 0) return 2;
    return (bits(x) >> 52 & 0x7ff) == 0 ? 3 : 4;
}
int __fpclassifyf(float x) {
    if (x != x) return 0;
    if (x - x != 0) return 1;
    if (x == 0) return 2;
    return (bitsf(x) >> 23 & 0xff) == 0 ? 3 : 4;
}
