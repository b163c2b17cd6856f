static unsigned long long bits(double x) {
    union { double f; unsigned long long u; } both;
    both.f = x;
    return both.u;
}
static double from(unsigned long long u) {
    union { double f; unsigned long long u; } both;
    both.u = u;
    return both.f;
}
static int exponent(double x) { return (int)(bits(x) >> 52 & 0x7ff); }

// The exponent of a number that is not 0, infinite, or no number.
static int log_of(double x) { return exponent(x) != 0 ? exponent(x) - 1023 : exponent(x * 0x1p54) - 1023 - 54; }

double frexp(double x, int *power) {
    if (x == 0 || x - x != 0) {
        *power = 0;
        return x;
    }
    *power = log_of(x) + 1;
    if (exponent(x) == 0) x *= 0x1p54;
    return from((bits(x) & ~(0x7ffULL << 52)) | 1022ULL << 52);
}
float frexpf(float x, int *power) { return (float)frexp(x, power); }

double modf(double x, double *whole) {
    int e = exponent(x) - 1023;
    unsigned long long sign = bits(x) & 1ULL << 63;
    if (e >= 52) {
        *whole = x;
        return x != x ? x : from(sign);
    }
    if (e < 0) {
        *whole = from(sign);
        return x;
    }
    *whole = from(bits(x) & ~(~0ULL >> (12 + e)));
    return *whole == x ? from(sign) : x - *whole;
}
float modff(float x, float *whole) {
    double part, rest = modf(x, &part);
    *whole = (float)part;
    return (float)rest;
}

int ilogb(double x) {
    if (x == 0 || x != x) return -2147483647 - 1;
    return x - x != 0 ? 2147483647 : log_of(x);
}
int ilogbf(float x) { return ilogb(x); }

double logb(double x) {
    if (x == 0) return -__builtin_inf();
    return x - x != 0 ? x * x : log_of(x);
}
float logbf(float x) { return (float)logb(x); }
