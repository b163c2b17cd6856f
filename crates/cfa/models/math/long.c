// The 80 bits of x87: a significand with its leading one, and above it exponent and sign.
struct parts { unsigned long long significand; unsigned short upper; };
union both { long double f; struct parts p; };

static struct parts parts(long double x) {
    union both both;
    both.f = x;
    return both.p;
}
static long double from(unsigned long long significand, unsigned upper) {
    union both both;
    both.p.significand = significand;
    both.p.upper = (unsigned short)upper;
    return both.f;
}
static int negative(long double x) { return parts(x).upper >> 15; }
static int exponent(long double x) { return parts(x).upper & 0x7fff; }

int __signbitl(long double x) { return negative(x); }
long double copysignl(long double x, long double y) { return negative(x) == negative(y) ? x : -x; }
int isnanl(long double x) { return x != x; }
int __isnanl(long double x) { return x != x; }
int isinfl(long double x) { return (x == __builtin_infl()) - (x == -__builtin_infl()); }
int __isinfl(long double x) { return isinfl(x); }
int finitel(long double x) { return x - x == 0; }
int __finitel(long double x) { return x - x == 0; }
int __fpclassifyl(long double x) {
    if (x != x) return 0;
    if (x - x != 0) return 1;
    if (x == 0) return 2;
    return exponent(x) == 0 ? 3 : 4;
}

// The exponent of a number that is not 0, infinite, or no number.
static int log_of(long double x) {
    return exponent(x) != 0 ? exponent(x) - 16383 : exponent(x * 0x1p70L) - 16383 - 70;
}
long double frexpl(long double x, int *power) {
    if (x == 0 || x - x != 0) {
        *power = 0;
        return x;
    }
    *power = log_of(x) + 1;
    if (exponent(x) == 0) x *= 0x1p70L;
    return from(parts(x).significand, (parts(x).upper & 0x8000) | 16382);
}
long double modfl(long double x, long double *whole) {
    int e = exponent(x) - 16383;
    unsigned sign = parts(x).upper & 0x8000;
    if (e >= 63) {
        *whole = x;
        return x != x ? x : from(0, sign);
    }
    if (e < 0) {
        *whole = from(0, sign);
        return x;
    }
    *whole = from(parts(x).significand & ~(~0ULL >> 1 >> e), parts(x).upper);
    return *whole == x ? from(0, sign) : x - *whole;
}
int ilogbl(long double x) {
    if (x == 0 || x != x) return -2147483647 - 1;
    return x - x != 0 ? 2147483647 : log_of(x);
}
long double logbl(long double x) {
    if (x == 0) return -__builtin_infl();
    return x - x != 0 ? x * x : log_of(x);
}

static long double power(int n) { return from(1ULL << 63, (unsigned)(n + 16383)); }

// Rounded once: if a factor 2^-16318 already makes a subnormal number, the result is below half of the smallest one.
static long double scale(long double x, long n) {
    if (n > 50000) n = 50000;
    if (n < -50000) n = -50000;
    for (; n > 16383; n -= 16383) x *= power(16383);
    for (; n < -16382; n += 16318) x *= power(-16318);
    return x * power((int)n);
}
long double scalbnl(long double x, int n) { return scale(x, n); }
long double scalblnl(long double x, long n) { return scale(x, n); }
long double ldexpl(long double x, int n) { return scale(x, n); }
