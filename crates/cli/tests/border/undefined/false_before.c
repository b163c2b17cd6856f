// What was asked keeps its answer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0};
    int n = __VERIFIER_nondet_int();
    if (n == 7) {
        reach_error();
    }
    a[n] = 1;
    return 0;
}
