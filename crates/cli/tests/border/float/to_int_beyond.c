extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
// A float that the type has not gives any value (C11 6.3.1.4); gcc for x86 gives INT_MIN here.
int main(void) {
    double x = __VERIFIER_nondet_double();
    int i = (int)x;
    if (x > 0 && i < 0) reach_error();
    return 0;
}
