extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    volatile float x = __builtin_nanf("");
    long i = (long)x;
    if (i != 0) reach_error();
    return 0;
}
