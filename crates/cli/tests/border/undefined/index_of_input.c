// Some executions are fine, and in them nothing is violated.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4) {
        return 0;
    }
    a[n] = 1;
    if (a[0] > 1) {
        reach_error();
    }
    return 0;
}
