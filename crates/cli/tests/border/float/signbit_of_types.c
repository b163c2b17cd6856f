extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    if (!(d < 0)) return 0;
    float f = (float)d;
    long double l = d;
    // What gcc's code gives: the bit where it stands, or 1.
    if (__builtin_signbit(d) != 1 || __builtin_signbit(f) != -2147483647 - 1 || __builtin_signbit(l) != 512) reach_error();
    if (__builtin_signbit(-1.0f) != 1 || __builtin_signbit(-d) || __builtin_isinf_sign(d) > 0) reach_error();
    return 0;
}
