// A shift by the width has no meaning.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 32)
        return 1u << n;
    return 0;
}
