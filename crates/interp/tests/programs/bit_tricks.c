// Bit manipulation and hashing in several widths; compiler builtins for bits.
int printf(const char *, ...);
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

static u32 rotl(u32 x, int k) { return x << k | x >> (32 - k); }
static u64 splitmix(u64 *s) { u64 z = *s += 0x9E3779B97F4A7C15ull; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull; z = (z ^ z >> 27) * 0x94D049BB133111EBull; return z ^ z >> 31; }
static u32 reverse(u32 v) { u32 r = 0; for (int i = 0; i < 32; i++, v >>= 1) r = r << 1 | (v & 1); return r; }
static int bits(u64 v) { int n = 0; while (v) { v &= v - 1; n++; } return n; }
static u32 isqrt(u64 n) { u64 r = 0, b = 1ull << 62; while (b > n) b >>= 2; while (b) { if (n >= r + b) { n -= r + b; r = (r >> 1) + b; } else r >>= 1; b >>= 2; } return (u32)r; }
static u16 fletcher(const u8 *d, int n) { u16 a = 0, b = 0; while (n--) { a = (a + *d++) % 255; b = (b + a) % 255; } return b << 8 | a; }
static u32 murmur(const char *s, u32 h) { while (*s) { u32 k = (u8)*s++; k *= 0xcc9e2d51; k = rotl(k, 15); k *= 0x1b873593; h ^= k; h = rotl(h, 13) * 5 + 0xe6546b64; } return h ^ h >> 16; }
static long long sat_add(int a, int b) { int r; return __builtin_add_overflow(a, b, &r) ? (a < 0 ? -2147483647 - 1 : 2147483647) : r; }

int main(void) {
    u64 s = 42;
    for (int i = 0; i < 4; i++) printf("%llx ", splitmix(&s));
    printf("\n%x %x\n", reverse(1), reverse(0x12345678));
    printf("%d %d\n", bits(s), bits(~0ull));
    printf("%u %u %u\n", isqrt(99), isqrt(1000000000000ull), isqrt(~0ull));
    printf("%x\n", fletcher((const u8 *)"fletcher", 8));
    printf("%x\n", murmur("hash me", 0));
    printf("%d %d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1), __builtin_ctz(80), __builtin_ffs(0));
    printf("%d %d %x\n", __builtin_popcountll(~0ull >> 1), __builtin_clzll(1ull << 40), __builtin_bswap32(0x11223344));
    printf("%lld %lld %lld\n", sat_add(2147483647, 1), sat_add(-2147483647, -5), sat_add(3, 4));
    u64 prod;
    printf("%d %d\n", __builtin_mul_overflow(0xffffffffull, 0xffffffffull, &prod), __builtin_mul_overflow(~0ull, 2ull, &prod));
    u8 a = 0x80;
    a = a << 1 | a >> 7;
    u16 w = 0xf00f;
    w = w << 4 | w >> 12;
    printf("%x %x\n", a, w);
    int neg = -17;
    printf("%d %d %d\n", neg >> 2, neg & 7, neg ^ 1);
    printf("%d %d\n", (neg >> 31) - (-neg >> 31), neg & -neg);
    u32 swap1 = 5, swap2 = 9;
    swap1 ^= swap2, swap2 ^= swap1, swap1 ^= swap2;
    printf("%u %u\n", swap1, swap2);
    printf("%d %d\n", !(swap1 & (swap1 - 1)), !(64 & 63));
    u64 big = 0x0123456789abcdefull;
    u8 bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = big >> (8 * (7 - i));
    u64 back = 0;
    for (int i = 7; i >= 0; i--) back = back << 8 | bytes[i];
    printf("%llx\n", back);
    signed char sc = -128;
    printf("%d %d %d\n", sc >> 1, (u8)sc >> 1, -sc);
    printf("%d\n", (int)((u32)neg >> 28));
    int state = 1;
    for (int i = 0; i < 100; i++) { unsigned lsb = state & 1; state = (unsigned)state >> 1; if (lsb) state ^= 0xB400; }
    printf("%d\n", state);
    return 0;
}
