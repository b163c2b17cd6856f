extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);
int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    // Half of the last bit of 2: a tie, which goes to the even neighbour.
    if (x > 1 && x < 2 && x + 1 == 2) reach_error();
    return 0;
}
