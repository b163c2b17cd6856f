extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) return 0;
    struct pair { char c; int a[n]; char d; double e; } one, two;
    if (sizeof(struct pair) != (n * 4 + 4 + 1 + 7) / 8 * 8 + 8) reach_error();
    one.a[n - 1] = 5, one.d = 6, one.e = 7;
    two = one;
    one.a[n - 1] = one.d = 0;
    if (two.a[n - 1] != 5 || two.d != 6 || two.e != 7) reach_error();
    n = 100;
    if (sizeof two > 40) reach_error();
    return 0;
}
