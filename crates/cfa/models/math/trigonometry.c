// No number for infinities; the rest is bounded. Of pi, the bounds are the next float above.
double __robusto_math_sin(double);
double sin(double x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    double r = __robusto_math_sin(x);
    __robusto_assume(r >= -1 && r <= 1);
    return r;
}
float __robusto_math_sinf(float);
float sinf(float x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    float r = __robusto_math_sinf(x);
    __robusto_assume(r >= -1 && r <= 1);
    return r;
}
double __robusto_math_cos(double);
double cos(double x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    double r = __robusto_math_cos(x);
    __robusto_assume(r >= -1 && r <= 1);
    return r;
}
float __robusto_math_cosf(float);
float cosf(float x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    float r = __robusto_math_cosf(x);
    __robusto_assume(r >= -1 && r <= 1);
    return r;
}
double __robusto_math_tan(double);
double tan(double x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    double r = __robusto_math_tan(x);
    __robusto_assume(r - r == 0);
    return r;
}
float __robusto_math_tanf(float);
float tanf(float x) {
    __robusto_ranged();
    if (x - x != 0) return x - x;
    float r = __robusto_math_tanf(x);
    __robusto_assume(r - r == 0);
    return r;
}
double __robusto_math_asin(double);
double asin(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    double r = __robusto_math_asin(x);
    __robusto_assume(r >= -0x1.921fb54442d19p+0 && r <= 0x1.921fb54442d19p+0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_asinf(float);
float asinf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    float r = __robusto_math_asinf(x);
    __robusto_assume(r >= -0x1.921fb8p+0f && r <= 0x1.921fb8p+0f);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_acos(double);
double acos(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    double r = __robusto_math_acos(x);
    __robusto_assume(r >= 0 && r <= 0x1.921fb54442d19p+1);
    return r;
}
float __robusto_math_acosf(float);
float acosf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x < -1 || x > 1) return (x - x) / (x - x);
    float r = __robusto_math_acosf(x);
    __robusto_assume(r >= 0 && r <= 0x1.921fb8p+1f);
    return r;
}
double __robusto_math_atan(double);
double atan(double x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    double r = __robusto_math_atan(x);
    __robusto_assume(r >= -0x1.921fb54442d19p+0 && r <= 0x1.921fb54442d19p+0);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
float __robusto_math_atanf(float);
float atanf(float x) {
    __robusto_ranged();
    if (x != x) return x + x;
    if (x == 0) return x;
    float r = __robusto_math_atanf(x);
    __robusto_assume(r >= -0x1.921fb8p+0f && r <= 0x1.921fb8p+0f);
    __robusto_assume(x > 0 ? r >= 0 : r <= 0);
    return r;
}
double __robusto_math_atan2(double, double);
double atan2(double x, double y) {
    __robusto_ranged();
    if (x != x || y != y) return x + y;
    double r = __robusto_math_atan2(x, y);
    __robusto_assume(r >= -0x1.921fb54442d19p+1 && r <= 0x1.921fb54442d19p+1);
    return r;
}
float __robusto_math_atan2f(float, float);
float atan2f(float x, float y) {
    __robusto_ranged();
    if (x != x || y != y) return x + y;
    float r = __robusto_math_atan2f(x, y);
    __robusto_assume(r >= -0x1.921fb8p+1f && r <= 0x1.921fb8p+1f);
    return r;
}
