extern void reach_error(void);
extern int fesetround(int), __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    fesetround(__VERIFIER_nondet_int() & 0xc00);
    if (x > 0.1 && x < 0.2 && (float)x > x && (float)(x + 1) - x > 1 && x * 3 / 3 > x && x * 7 / 7 > x) reach_error();
    return 0;
}
