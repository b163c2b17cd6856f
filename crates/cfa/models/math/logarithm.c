// Not below the least number that has a logarithm, and on the same side of 0 as the number is of 1.
double __robusto_math_log(double);
double log(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inf();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    double r = __robusto_math_log(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_logf(float);
float logf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inff();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    float r = __robusto_math_logf(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_log2(double);
double log2(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inf();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    double r = __robusto_math_log2(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_log2f(float);
float log2f(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inff();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    float r = __robusto_math_log2f(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_log10(double);
double log10(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inf();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    double r = __robusto_math_log10(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_log10f(float);
float log10f(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 0) return (x - x) / (x - x);
    if (x == 0) return -__builtin_inff();
    if (x == 1) return 0;
    if (x - x != 0) return x;
    float r = __robusto_math_log10f(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 1 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_log1p(double);
double log1p(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1) return (x - x) / (x - x);
    if (x == -1) return -__builtin_inf();
    if (x == 0 || x - x != 0) return x;
    double r = __robusto_math_log1p(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_log1pf(float);
float log1pf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1) return (x - x) / (x - x);
    if (x == -1) return -__builtin_inff();
    if (x == 0 || x - x != 0) return x;
    float r = __robusto_math_log1pf(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_asinh(double);
double asinh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    double r = __robusto_math_asinh(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_asinhf(float);
float asinhf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    float r = __robusto_math_asinhf(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_acosh(double);
double acosh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 1) return (x - x) / (x - x);
    if (x - x != 0) return x;
    double r = __robusto_math_acosh(x);
    __robusto_assume(r >= 0 && r - r == 0);
    return r;
}
float __robusto_math_acoshf(float);
float acoshf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < 1) return (x - x) / (x - x);
    if (x - x != 0) return x;
    float r = __robusto_math_acoshf(x);
    __robusto_assume(r >= 0 && r - r == 0);
    return r;
}
double __robusto_math_atanh(double);
double atanh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    if (x == 1 || x == -1) return x * __builtin_inf();
    if (x == 0) return x;
    double r = __robusto_math_atanh(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_atanhf(float);
float atanhf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    if (x == 1 || x == -1) return x * __builtin_inff();
    if (x == 0) return x;
    float r = __robusto_math_atanhf(x);
    __robusto_assume(r - r == 0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
