static double power(int n) {
    union { double f; unsigned long long u; } both;
    both.u = (unsigned long long)(n + 1023) << 52;
    return both.f;
}

// Rounded once: if a factor 2^-969 already makes a subnormal number, the result is below half of the smallest one.
static double scale(double x, long n) {
    if (n > 3000) n = 3000;
    if (n < -3000) n = -3000;
    for (; n > 1023; n -= 1023) x *= power(1023);
    for (; n < -1022; n += 969) x *= power(-969);
    return x * power((int)n);
}

double scalbn(double x, int n) { return scale(x, n); }
double scalbln(double x, long n) { return scale(x, n); }
double ldexp(double x, int n) { return scale(x, n); }
float scalbnf(float x, int n) { return (float)scale(x, n); }
float scalblnf(float x, long n) { return (float)scale(x, n); }
float ldexpf(float x, int n) { return (float)scale(x, n); }
