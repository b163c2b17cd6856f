// The printf family: flags, widths, precisions, length modifiers, all conversions, return values.
int printf(const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, typeof(sizeof 0), const char *, ...);
int puts(const char *);
int putchar(int);

int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+.0d]\n", 42, 42, 42, 42, 42, 42, 7, -7, -7, 0);
    printf("[%u] [%x] [%X] [%#x] [%#X] [%o] [%#o] [%#o] [%08x] [%#010x] [%.5x]\n", 42u, 255, 255, 255, 0, 8, 8, 0, 255, 255, 10);
    printf("[%hhd] [%hhu] [%hd] [%hu] [%ld] [%lu] [%lld] [%llx]\n", 300, 300, 70000, 70000, -1L, 5UL, -1LL, -1LL);
    printf("[%zu] [%zd] [%td] [%jd]\n", sizeof(int), sizeof(char), (char *)8 - (char *)3, (long long)-9);
    printf("[%c] [%3c] [%-3c] [%s] [%5s] [%-5s] [%.2s] [%5.1s] [%%]\n", 'x', 'y', 'z', "abc", "abc", "abc", "abc", "abc");
    printf("[%*d] [%-*d] [%*d] [%.*d] [%.*f] [%.*s]\n", 6, 1, 6, 2, -6, 3, 4, 5, 2, 1.005, -1, "all");
    printf("[%f] [%.0f] [%.1f] [%10.3f] [%-10.3f] [%+f] [% f] [%010.2f] [%#.0f]\n", 1.5, 2.5, 0.25, 3.14159, 3.14159, 1.0, 1.0, -2.5, 3.0);
    printf("[%e] [%.0e] [%.2e] [%E] [%#.0e] [%12.3e] [%e] [%e]\n", 12345.678, 25.0, 1.005, 1e-10, 5.0, 1e100, 0.0, 5e-324);
    printf("[%g] [%g] [%g] [%g] [%g] [%g] [%g] [%G] [%#g] [%.3g] [%.10g]\n", 0.0001, 0.00001, 100000.0, 1000000.0, 123456789.0, 1e-5, 0.5, 1e20, 1.0, 1234.5, 1.0 / 3);
    printf("[%g] [%.0g] [%.1g] [%#.3g] [%g] [%+g]\n", 0.0, 1.5, 0.05, 2.0, -0.0, 1e6);
    printf("[%a] [%A] [%.2a] [%.0a] [%20a] [%-20a] [%020a] [%#.0a] [%a]\n", 1.0, 255.5, 1.999, 1.5, 0.5, 0.5, 0.5, 1.0, 0.0);
    double inf = 1e308 * 10, nan = inf - inf;
    printf("[%f] [%5.1f] [%-6e] [%06g] [%F] [%G] [%+f]\n", inf, -inf, inf, inf, inf, -inf, inf);
    printf("[%d] [%d]\n", nan != nan, (int)sizeof nan);
    printf("[%p] [%10p] [%p]\n", (void *)0, (void *)0, (void *)0x1234);
    printf("[%.40f]\n[%.30e]\n[%.25g]\n", 0.1, 1e23, 1e22);
    printf("[%.15f] [%.16f] [%.17g]\n", 2.675, 2.675, 2.675);
    printf("[%f]\n", 1e300);
    char b[64];
    int n = sprintf(b, "%d-%s", 12, "ab");
    printf("%d %s\n", n, b);
    n = snprintf(b, 5, "%s", "overlong");
    printf("%d %s\n", n, b);
    n = snprintf(0, 0, "%d", 12345);
    printf("%d\n", n);
    n = snprintf(b, 1, "x");
    printf("%d [%s]\n", n, b);
    printf("%d\n", printf("four"));
    printf("%d %c\n", putchar('A') == 'A', 'b');
    puts("");
    puts("done");
    printf("%%|%-5d|%c%c\n", 3, 0x41, 0x142);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%.3f %.2f %.1f\n", 0.0005, 0.125, 0.35);
    printf("%ld %lx %lu\n", 2147483647L, 0xffffffffUL, 4294967295UL);
    printf("%i %#llo %+lld %'d\n", -7, 64ULL, 5LL, 1234567);
    printf("%-08d|%+05d|% 05d|%+ d\n", 5, 5, 5, 5);
    return 0;
}
