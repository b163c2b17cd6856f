// float and double: arithmetic, conversions in all directions, comparison with NaN, signed zero, rounding.
int printf(const char *, ...);
double sqrt(double), floor(double), ceil(double), fabs(double), fmod(double, double), round(double), trunc(double);

static float third(float x) { return x / 3; }
static double mean(int n, const double *v) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s / n; }

int main(void) {
    float f = 0.1f;
    double d = 0.1;
    printf("%.20f %.20f %d\n", f, d, f == d);
    printf("%.9g %.17g\n", third(1), 1.0 / 3);
    printf("%d %d %d %d\n", (int)3.99, (int)-3.99, (int)1e9, (unsigned char)200.7);
    printf("%u %lld %llu\n", (unsigned)4e9, (long long)-9.2e18, (unsigned long long)1.8e19);
    printf("%.1f %.1f %.1f\n", (double)-1, (double)4294967295u, (double)18446744073709551615ull);
    printf("%.9g %.9g %.9g\n", (float)16777217, (float)123456789, (float)18446744073709551615ull);
    double zero = 0, inf = 1 / zero, nan = inf - inf;
    printf("%g %g %d\n", inf, -inf, nan != nan);
    printf("%d %d %d %d %d %d\n", nan < 1, nan > 1, nan == nan, !(nan < 1), nan <= nan, nan >= 1);
    printf("%g %g %d\n", -zero, 1 / -zero, zero == -zero);
    printf("%d %d %d\n", !zero, !nan, zero ? 1 : 2);
    if (nan) printf("nan is true\n");
    float big = 3e38f;
    printf("%g %g\n", big * 10, 1e-45f / 2);
    d = 1e16;
    printf("%.1f %.1f\n", d + 1, d + 2);
    f = 16777216;
    f += 1;
    printf("%.1f\n", f);
    f = f + 1.0 + 1.0;
    printf("%.1f\n", f);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    i += 0.9;
    printf("%d\n", i);
    unsigned char c = 10;
    c /= 2.5;
    printf("%d\n", c);
    d = 7;
    d++, ++d, d--;
    d -= .25;
    printf("%g %g\n", d, -d);
    const double v[] = {1, 2.5, -4, 1e3};
    printf("%g\n", mean(4, v));
    printf("%g %g %g %g %g\n", sqrt(2), floor(-1.5), ceil(-1.5), fabs(-2.5), fmod(10.5, 3));
    printf("%g %g %g %g\n", round(2.5), round(-2.5), trunc(-2.7), trunc(2.7));
    printf("%g\n", 5 / 2 + 5 / 2.0);
    printf("%d %d\n", 0.1 + 0.2 == 0.3, 0.1f + 0.2f == 0.3f);
    printf("%d\n", (int)(float)2147483583);
    printf("%a %a %a\n", 1.0, 0.1, -1e-310);
    double sum = 0;
    for (int k = 1; k <= 1000; k++) sum += 1.0 / k;
    printf("%.15g\n", sum);
    long long big_int = 9007199254740993;
    volatile double rounded = big_int;
    printf("%.1f %d\n", rounded, (long long)rounded == big_int);
    _Bool b = 0.5;
    printf("%d %d\n", b, (_Bool)0.0);
    return 0;
}
