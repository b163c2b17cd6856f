// Builtins of constants stand where C asks for a constant.
void reach_error(void);

enum { MASK = 0xf0, BITS = __builtin_popcount(MASK), FIRST = __builtin_ffs(MASK) };
_Static_assert(__builtin_clz(1) == 31 && __builtin_ctzll(1ull << 40) == 40, "bits");

struct {
    unsigned field : __builtin_popcountl(7);
} s;

int bits[BITS];
static unsigned swapped = __builtin_bswap32(0x01020304);
static int text = __builtin_strlen("abc") + __builtin_abs(-4) + __builtin_parity(7);
static double root = __builtin_sqrt(16.0);

static int of(int x) {
    switch (x) {
    case __builtin_ffs(4):
        return 1;
    default:
        return __builtin_ffs(x);
    }
}

int main(void) {
    s.field = 7;
    if (s.field != 7 || sizeof bits != 4 * sizeof(int) || FIRST != 5) reach_error();
    if (swapped != 0x04030201 || text != 8 || root != 4.0) reach_error();
    if (of(3) != 1 || of(8) != 4 || of(0) != 0) reach_error();
    return 0;
}
