extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);
int main(void) {
    long double third = 1.0L / 3, x = __VERIFIER_nondet_long_double();
    if ((double)third != 1.0 / 3 || third == 1.0 / 3) reach_error();
    long long large = 9007199254740993LL;
    if ((long long)(long double)large != large) reach_error();
    if (0x1p-16445L / 2 != 0 || 0x1p16383L * 2 == 0x1p16383L) reach_error();
    if (x > 1 && x < 2 && (x + 1 < 2 || x - 1 == 0)) reach_error();
    return 0;
}
