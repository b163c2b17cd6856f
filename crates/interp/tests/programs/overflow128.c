// Arithmetic that reports overflow, with operands and results of 128 bits.
int printf(const char *, ...);
typedef unsigned __int128 u128;
typedef __int128 i128;

static unsigned long parts[] = { 0, 1, 2, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x100000000 };
static u128 wide(unsigned long high, unsigned long low) { return (u128)high << 64 | low; }
static unsigned long sum;
static void show(int o, u128 v) {
    sum = (sum ^ (unsigned long)(v >> 64)) * 0x9e3779b97f4a7c15;
    sum = (sum ^ (unsigned long)v) * 0x9e3779b97f4a7c15 + o;
}

#define ALL(a, b, out) \
    o = __builtin_add_overflow(a, b, &out); show(o, out); \
    o = __builtin_sub_overflow(a, b, &out); show(o, out); \
    o = __builtin_mul_overflow(a, b, &out); show(o, out);

int main(void) {
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            u128 a = wide(parts[i], parts[j]), b = wide(parts[j], parts[(i + 3) % 7]), w;
            i128 r;
            long n, z = parts[(i + j) % 7];
            unsigned m;
            unsigned long x = parts[i], y = parts[j];
            int o;
            ALL(a, b, w) ALL(a, (i128)b, w) ALL((i128)a, (i128)b, r) ALL((i128)a, b, r)
            ALL(a, y, n) ALL(a, z, m) ALL((i128)a, z, n)
            ALL(x, y, r) ALL(x, z, w) ALL(x, y, n) ALL(x, z, n) ALL((int)x, (unsigned)z, n) ALL((int)x, (unsigned)z, m)
            printf("%lx\n", sum);
        }
    show(0, __builtin_bswap128(wide(5, 77)));
    printf("%lx\n", sum);
    return 0;
}
