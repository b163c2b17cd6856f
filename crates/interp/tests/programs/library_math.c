// Functions of <math.h> whose result is exact.
int printf(const char *, ...);
double frexp(double, int *);
float frexpf(float, int *);
double modf(double, double *);
float modff(float, float *);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
int ilogb(double);
double logb(double);
double nextafter(double, double);
float nextafterf(float, float);
double fdim(double, double);
double nan(const char *);
float nanf(const char *);
long lround(double);
long long llround(double);
long lrint(double);
long long llrintf(float);
double copysign(double, double);
int finite(double);
double fmax(double, double);

int main(void) {
    double values[] = {0, -0.0, 1, -1.5, 3.75, 1e300, 5e-324, -2.5e-310, 0.5, -0.5, 2.5, 123456.789, 4503599627370497.5};
    for (int i = 0; i < 13; i++) {
        double x = values[i], whole, part;
        int e;
        double m = frexp(x, &e);
        part = modf(x, &whole);
        printf("%a: %a %d; %a %a;", x, m, e, whole, part);
        float wf, pf = modff((float)x, &wf);
        float mf = frexpf((float)x, &e);
        printf(" %a %d %a %a;", (double)mf, e, (double)wf, (double)pf);
        printf(" %d %a\n", ilogb(x), logb(x));
        printf("  %a %a %a %a %a\n", ldexp(x, 3), scalbn(x, -1050), ldexp(x, 2000), (double)ldexpf((float)x, -140), ldexp(x, -1075));
        printf("  %a %a %a\n", nextafter(x, 10), nextafter(x, -10), (double)nextafterf((float)x, 1));
        if (x < 1e9 && x > -1e9) printf("  %ld %lld %ld %lld\n", lround(x), llround(x), lrint(x), llrintf((float)x));
    }
    printf("%a %a %d %d\n", fdim(3, 1), fdim(1, 3), nan("") != nan(""), nanf("") != nanf(""));
    printf("%a %d %d %a\n", copysign(2, -0.0), finite(1), finite(1e308 * 10), fmax(1, nan("")));
    double nearbyint(double);
    float nearbyintf(float);
    printf("%g %g %g %g\n", nearbyint(2.5), nearbyint(-3.5), nearbyint(1e10 + 0.25), nearbyintf(0.75f));
    return 0;
}
