// Loops of all kinds with break, continue, several variables, volatile, const, register, empty bodies.
int printf(const char *, ...);
static volatile int v = 3;
int main(void) {
    int s = 0;
    for (int i = 0, j = 10; i < j; i++, j--) s += i * j;
    printf("%d\n", s);
    for (;;) { if (++s > 200) break; }
    printf("%d\n", s);
    int n = 0;
    while (1) { n++; if (n % 2) continue; if (n > 10) break; }
    printf("%d\n", n);
    do { n -= 3; if (n == 6) continue; } while (n > 0);
    printf("%d\n", n);
    v = v + v;
    v++;
    printf("%d\n", v);
    register int r = 5;
    for (; r; r--) ;
    printf("%d\n", r);
    int count = 0;
    for (unsigned char c = 250; c; c++) count++;
    printf("%d\n", count);
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == i) break; count += 10; if (i == 2) continue; count++; }
    printf("%d\n", count);
    int k = 10;
    while (k --> 0) if (k == 5) goto out;
out:
    printf("%d\n", k);
    for (int i = 0; i < 2; i++) { int i = 7; i++; count += i; }
    printf("%d\n", count);
    const volatile int *p = &v;
    printf("%d %d\n", *p, *p + *p);
    double d = 0;
    for (d = 0; d < 1; d += 0.25) s++;
    printf("%d %g\n", s, d);
    return v;
}
