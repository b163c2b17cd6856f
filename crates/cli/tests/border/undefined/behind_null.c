// Nothing comes behind an access at null; what lies beside it is checked.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), *p = 0;
    if (n == 1) {
        n = 4 / n;
    } else {
        *p = 1;
        n = 4 / n;
    }
    return n;
}
