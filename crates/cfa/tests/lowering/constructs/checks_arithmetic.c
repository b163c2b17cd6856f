// checks: overflow div-by-zero bad-shift
// Undefined arithmetic leads to error edges where that is asked for; unsigned arithmetic wraps.
int main(void) {
    int a, b;
    unsigned u;
    a = a + b;
    a = -a;
    a /= b;
    a = b << 3;
    u = u * u;
    u >>= b;
    return a;
}
