// `_Float16` is computed as `float` and stored as the nearest number of its format.
void reach_error(void);

_Float16 initial = 1.5, tiny = 5.9604644775390625e-8, huge = 65519.9, beyond = 65520.0, negative = -0.0;
static _Float16 table[3] = {1, 2.5f16, 100000};

static unsigned short bits(_Float16 h) {
    union {
        _Float16 h;
        unsigned short u;
    } u = {h};
    return u.u;
}

static _Float16 sum(_Float16 a, _Float16 b) {
    return a + b;
}

int main(void) {
    if (bits(initial) != 0x3e00 || bits(tiny) != 1 || bits(huge) != 0x7bff || bits(beyond) != 0x7c00) reach_error();
    if (bits(negative) != 0x8000 || bits(table[1]) != 0x4100 || bits(table[2]) != 0x7c00) reach_error();
    volatile double third = 1.0 / 3;
    _Float16 h = third;
    if (bits(h) != 0x3555 || bits(-h) != 0xb555) reach_error();
    // 2049 lies half way between 2048 and 2050, 2051 between 2050 and 2052.
    volatile int n = 2049;
    if (bits(n) != 0x6800 || bits(n + 2) != 0x6802) reach_error();
    if (sum(initial, 1) != 2.5f || sum(beyond, 1) <= 65504 || sum(tiny, tiny) != 2 * (double)tiny) reach_error();
    h = 3;
    h += 0.25;
    h++;
    if (h != 4.25 || (int)h != 4 || !h || h < initial) reach_error();
    _Float16 nan = beyond - beyond;
    if (nan == nan || (_Bool)(_Float16)0.0 || !(_Bool)tiny) reach_error();
    return 0;
}
