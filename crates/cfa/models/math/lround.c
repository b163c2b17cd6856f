// The difference to the whole part is exact.
static long long nearest(double x) {
    long long whole = (long long)x;
    double rest = x - (double)whole;
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

// In the direction of the rounding mode.
double __robusto_math_rint(double);
static long long in_mode(double x) { return (long long)__robusto_math_rint(x); }

long lround(double x) { return (long)nearest(x); }
long lroundf(float x) { return (long)nearest(x); }
long long llround(double x) { return nearest(x); }
long long llroundf(float x) { return nearest(x); }
long lrint(double x) { return (long)in_mode(x); }
long lrintf(float x) { return (long)in_mode(x); }
long long llrint(double x) { return in_mode(x); }
long long llrintf(float x) { return in_mode(x); }

static long long nearestl(long double x) {
    long long whole = (long long)x;
    long double rest = x - (long double)whole;
    return rest >= 0.5L ? whole + 1 : rest <= -0.5L ? whole - 1 : whole;
}
long double __robusto_math_rintl(long double);
static long long in_mode_long(long double x) { return (long long)__robusto_math_rintl(x); }
long lroundl(long double x) { return (long)nearestl(x); }
long long llroundl(long double x) { return nearestl(x); }
long lrintl(long double x) { return (long)in_mode_long(x); }
long long llrintl(long double x) { return in_mode_long(x); }
