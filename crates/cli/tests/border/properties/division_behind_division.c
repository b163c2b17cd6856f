extern int __VERIFIER_nondet_int(void);
int main(void) {
    int zero = 0, r;
    r = 1 / zero;
    r = 2 / zero;
    return r;
}
