extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x > -1 && x < 100)) return 0;
    unsigned char c = (unsigned char)x;
    if (c < 100) reach_error();
    return 0;
}
