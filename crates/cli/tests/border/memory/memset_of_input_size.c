// The size of a fill, too.
extern int __VERIFIER_nondet_int(void);
void *memset(void *, int, unsigned long);

int main(void) {
    char a[8];
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 9)
        memset(a, 0, n);
    return 0;
}
