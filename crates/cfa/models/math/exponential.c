// Powers are not negative, and on the same side of 1 as their exponents are of 0.
double __robusto_math_exp(double);
double exp(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    double r = __robusto_math_exp(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
float __robusto_math_expf(float);
float expf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    float r = __robusto_math_expf(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
double __robusto_math_exp2(double);
double exp2(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    double r = __robusto_math_exp2(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
float __robusto_math_exp2f(float);
float exp2f(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    float r = __robusto_math_exp2f(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
double __robusto_math_exp10(double);
double exp10(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    double r = __robusto_math_exp10(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
float __robusto_math_exp10f(float);
float exp10f(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return 1;
    if (x - x != 0) return x > 0 ? x : 0;
    float r = __robusto_math_exp10f(x);
    __robusto_assume(x > 0 ? r >= 1 : r >= 0 && r <= 1);
    return r;
}
double __robusto_math_expm1(double);
double expm1(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    if (x - x != 0) return x > 0 ? x : -1;
    double r = __robusto_math_expm1(x);
    __robusto_assume(r >= -1);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_expm1f(float);
float expm1f(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    if (x - x != 0) return x > 0 ? x : -1;
    float r = __robusto_math_expm1f(x);
    __robusto_assume(r >= -1);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_sinh(double);
double sinh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    double r = __robusto_math_sinh(x);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_sinhf(float);
float sinhf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0 || x - x != 0) return x;
    float r = __robusto_math_sinhf(x);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_cosh(double);
double cosh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x - x != 0) return x * x;
    double r = __robusto_math_cosh(x);
    __robusto_assume(r >= 1);
    return r;
}
float __robusto_math_coshf(float);
float coshf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x - x != 0) return x * x;
    float r = __robusto_math_coshf(x);
    __robusto_assume(r >= 1);
    return r;
}
double __robusto_math_tanh(double);
double tanh(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    double r = __robusto_math_tanh(x);
    __robusto_assume(r >= -1 && r <= 1);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_tanhf(float);
float tanhf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    float r = __robusto_math_tanhf(x);
    __robusto_assume(r >= -1 && r <= 1);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
