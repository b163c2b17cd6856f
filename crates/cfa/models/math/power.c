double trunc(double);
float truncf(float);
// A negative number has a power only with an exponent that is an integer.
double __robusto_math_pow(double, double);
double pow(double x, double y) {
    __robusto_ranged();
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    if (x < 0 && x - x == 0 && y - y == 0 && trunc(y) != y) return (x - x) / (x - x);
    double r = __robusto_math_pow(x, y);
    __robusto_assume(r == r);
    __robusto_assume(!(x > 0) || r >= 0);
    return r;
}
float __robusto_math_powf(float, float);
float powf(float x, float y) {
    __robusto_ranged();
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    if (x < 0 && x - x == 0 && y - y == 0 && truncf(y) != y) return (x - x) / (x - x);
    float r = __robusto_math_powf(x, y);
    __robusto_assume(r == r);
    __robusto_assume(!(x > 0) || r >= 0);
    return r;
}
double __robusto_math_cbrt(double);
double cbrt(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    double r = __robusto_math_cbrt(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_cbrtf(float);
float cbrtf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    float r = __robusto_math_cbrtf(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_hypot(double, double);
double hypot(double x, double y) {
    __robusto_ranged();
    if (x == __builtin_inf() || x == -__builtin_inf() || y == __builtin_inf() || y == -__builtin_inf()) return __builtin_inf();
    if (x != x || y != y) return x + y;
    double r = __robusto_math_hypot(x, y);
    __robusto_assume(r >= 0);
    return r;
}
float __robusto_math_hypotf(float, float);
float hypotf(float x, float y) {
    __robusto_ranged();
    if (x == __builtin_inff() || x == -__builtin_inff() || y == __builtin_inff() || y == -__builtin_inff()) return __builtin_inff();
    if (x != x || y != y) return x + y;
    float r = __robusto_math_hypotf(x, y);
    __robusto_assume(r >= 0);
    return r;
}
