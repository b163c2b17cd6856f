double remainder(double, double);
float remainderf(float, float);

// The remainder is exact; of the quotient only some bits are defined.
double remquo(double x, double y, int *quotient) {
    *quotient = __robusto_unmodelled_int();
    return remainder(x, y);
}
float remquof(float x, float y, int *quotient) {
    *quotient = __robusto_unmodelled_int();
    return remainderf(x, y);
}
double lgamma_r(double x, int *sign) {
    *sign = __robusto_unmodelled_int();
    return __robusto_unmodelled_double();
}
float lgammaf_r(float x, int *sign) {
    *sign = __robusto_unmodelled_int();
    return __robusto_unmodelled_float();
}
double sin(double);
double cos(double);
float sinf(float);
float cosf(float);
void sincos(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}
void sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
