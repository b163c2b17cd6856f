extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
// gcc for x86-64 gives 4294967295.
int main(void) {
    volatile double x = -1;
    unsigned u = (unsigned)x;
    if (u == 4294967295u) reach_error();
    return 0;
}
