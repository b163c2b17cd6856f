// An array of variable size has the size that it was given.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    int a[n];
    a[0] = 0;
    a[2] = 1;
    return 0;
}
