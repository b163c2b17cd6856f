extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int x;
static int wait(void) {
    while (x) {
    }
    return 0;
}
static int fail(void) {
    reach_error();
    return 0;
}
int main(void) {
    x = __VERIFIER_nondet_int();
    if (!x) return 0;
    return wait() + fail();
}
