extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (!(f >= 1 && f <= 2 && d >= 1 && d <= 2)) return 0;
    float g = f + f;
    double e = d + d;
    if (g < 2 || e < 2) reach_error();
    return 0;
}
