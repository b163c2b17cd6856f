// The difference to the whole part is exact.
static long long nearest(double x) {
    long long whole = (long long)x;
    double rest = x - (double)whole;
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

// Halves go to the even neighbour.
static long long even(double x) {
    long long whole = (long long)x;
    double rest = x - (double)whole;
    int odd = (whole & 1) != 0;
    if (rest > 0.5 || (rest == 0.5 && odd)) return whole + 1;
    if (rest < -0.5 || (rest == -0.5 && odd)) return whole - 1;
    return whole;
}

long lround(double x) { return (long)nearest(x); }
long lroundf(float x) { return (long)nearest(x); }
long long llround(double x) { return nearest(x); }
long long llroundf(float x) { return nearest(x); }
long lrint(double x) { return (long)even(x); }
long lrintf(float x) { return (long)even(x); }
long long llrint(double x) { return even(x); }
long long llrintf(float x) { return even(x); }

static long long nearestl(long double x) {
    long long whole = (long long)x;
    long double rest = x - (long double)whole;
    return rest >= 0.5L ? whole + 1 : rest <= -0.5L ? whole - 1 : whole;
}
static long long evenl(long double x) {
    long long whole = (long long)x;
    long double rest = x - (long double)whole;
    int odd = (whole & 1) != 0;
    if (rest > 0.5L || (rest == 0.5L && odd)) return whole + 1;
    if (rest < -0.5L || (rest == -0.5L && odd)) return whole - 1;
    return whole;
}
long lroundl(long double x) { return (long)nearestl(x); }
long long llroundl(long double x) { return nearestl(x); }
long lrintl(long double x) { return (long)evenl(x); }
long long llrintl(long double x) { return evenl(x); }
