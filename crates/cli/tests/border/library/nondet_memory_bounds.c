extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void) {
    int a[4] = {1, 2, 3, 4};
    __VERIFIER_nondet_memory(a + 1, sizeof *a);
    if (a[0] != 1 || a[2] != 3) reach_error();
    return 0;
}
