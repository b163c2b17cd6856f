extern void reach_error(void);
extern int fesetround(int), fegetround(void), __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double one = 1, three = 3, near = one / three, x = __VERIFIER_nondet_double();
    if (fesetround(0x800) != 0 || one / three <= near) reach_error();
    double zero = one - one;
    if (one / zero < 0) reach_error();
    fesetround(0x400);
    zero = one - one;
    if (one / three != near || one / zero > 0) reach_error();
    fesetround(__VERIFIER_nondet_int() ? 0x400 : 0xc00);
    // Rounded down or toward zero, a positive number never grows.
    if (x > 0 && x < 1e300 && (float)x > x) reach_error();
    if (fesetround(7) == 0 || fegetround() == 0) reach_error();
    return 0;
}
