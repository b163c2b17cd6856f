// sscanf: conversions, widths, sets, failures.
int printf(const char *, ...);
int sscanf(const char *, const char *, ...);

int main(void) {
    int a = 1, b = 2, n = -1, r;
    unsigned u = 3;
    short h = 4;
    signed char c8 = 5;
    long l = 6;
    long long ll = 7;
    float f = 0;
    double d = 0;
    char s[16] = "", t[16] = "", c = '?';
    r = sscanf("12 -34", "%d%d%n", &a, &b, &n);
    printf("%d %d %d %d\n", r, a, b, n);
    r = sscanf("56 x", "%d %d", &a, &b);
    printf("%d %d %d\n", r, a, b);
    r = sscanf("", "%d", &a);
    printf("%d %d\n", r, a);
    r = sscanf("x", "%d", &a);
    printf("%d %d\n", r, a);
    r = sscanf("0x1f 017 ff 12345", "%i %i %x %3d", &a, &b, &u, &n);
    printf("%d %d %d %u %d\n", r, a, b, u, n);
    r = sscanf("-7 300 -9 -9000000000", "%hd %hhd %ld %lld", &h, &c8, &l, &ll);
    printf("%d %d %d %ld %lld\n", r, h, c8, l, ll);
    r = sscanf("  word rest", "%s %c", s, &c);
    printf("%d %s %c\n", r, s, c);
    r = sscanf("key = value;", "%15[a-z] = %15[^;];", s, t);
    printf("%d %s %s\n", r, s, t);
    r = sscanf("abcdef", "%3s%2c", s, t);
    printf("%d %s %c%c\n", r, s, t[0], t[1]);
    r = sscanf("1:2:3", "%d:%*d:%d", &a, &b);
    printf("%d %d %d\n", r, a, b);
    r = sscanf("2.5 -1e2", "%f %lf", &f, &d);
    printf("%d %g %g\n", r, f, d);
    r = sscanf("50%", "%d%%%n", &a, &n);
    printf("%d %d %d\n", r, a, n);
    r = sscanf("]x", "%[]]%s", s, t);
    printf("%d %s %s\n", r, s, t);
    r = sscanf("7 apples", "%d pears%n", &a, &b);
    printf("%d %d %d\n", r, a, b);
    return 0;
}
