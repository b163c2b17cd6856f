double nextafter(double x, double y) {
    union { double f; unsigned long long u; } both;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    both.f = x;
    if (x == 0)
        both.u = y > 0 ? 1 : 1ULL << 63 | 1;
    else if ((x < y) == (x > 0))
        both.u++;
    else
        both.u--;
    return both.f;
}

float nextafterf(float x, float y) {
    union { float f; unsigned u; } both;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    both.f = x;
    if (x == 0)
        both.u = y > 0 ? 1 : 1U << 31 | 1;
    else if ((x < y) == (x > 0))
        both.u++;
    else
        both.u--;
    return both.f;
}
