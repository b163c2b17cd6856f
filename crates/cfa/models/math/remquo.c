double remquo(double x, double y, int *quotient) {
    *quotient = __robusto_unmodelled_int();
    return __robusto_unmodelled_double();
}
float remquof(float x, float y, int *quotient) {
    *quotient = __robusto_unmodelled_int();
    return __robusto_unmodelled_float();
}
double lgamma_r(double x, int *sign) {
    *sign = __robusto_unmodelled_int();
    return __robusto_unmodelled_double();
}
float lgammaf_r(float x, int *sign) {
    *sign = __robusto_unmodelled_int();
    return __robusto_unmodelled_float();
}
void sincos(double x, double *sine, double *cosine) {
    *sine = __robusto_unmodelled_double();
    *cosine = __robusto_unmodelled_double();
}
void sincosf(float x, float *sine, float *cosine) {
    *sine = __robusto_unmodelled_float();
    *cosine = __robusto_unmodelled_float();
}
