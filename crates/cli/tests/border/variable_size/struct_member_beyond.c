extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) return 0;
    struct pair { int a[n]; char last; } one;
    // Three bytes of padding follow.
    *(&one.last + 3) = 1;
    *(&one.last + 4) = 1;
    return 0;
}
