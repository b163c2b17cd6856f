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

int main(void) {
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            u128 a = wide(parts[i], parts[j]), b = wide(parts[j], parts[(i + 3) % 7]), w;
            i128 r;
            long n, z = parts[(i + j) % 7];
            unsigned m;
            unsigned long x = parts[i], y = parts[j];
            int o;
            o = __builtin_add_overflow(a, b, &w), show(o, w);
            o = __builtin_sub_overflow(a, b, &w), show(o, w);
            o = __builtin_mul_overflow(a, b, &w), show(o, w);
            o = __builtin_add_overflow(a, (i128)b, &w), show(o, w);
            o = __builtin_sub_overflow(a, (i128)b, &w), show(o, w);
            o = __builtin_mul_overflow(a, (i128)b, &w), show(o, w);
            o = __builtin_add_overflow((i128)a, (i128)b, &r), show(o, r);
            o = __builtin_sub_overflow((i128)a, (i128)b, &r), show(o, r);
            o = __builtin_mul_overflow((i128)a, (i128)b, &r), show(o, r);
            o = __builtin_add_overflow((i128)a, b, &r), show(o, r);
            o = __builtin_sub_overflow((i128)a, b, &r), show(o, r);
            o = __builtin_mul_overflow((i128)a, b, &r), show(o, r);
            o = __builtin_add_overflow(a, y, &n), show(o, n);
            o = __builtin_sub_overflow(a, y, &n), show(o, n);
            o = __builtin_mul_overflow(a, y, &n), show(o, n);
            o = __builtin_add_overflow(a, z, &m), show(o, m);
            o = __builtin_sub_overflow(a, z, &m), show(o, m);
            o = __builtin_mul_overflow(a, z, &m), show(o, m);
            o = __builtin_add_overflow((i128)a, z, &n), show(o, n);
            o = __builtin_sub_overflow((i128)a, z, &n), show(o, n);
            o = __builtin_mul_overflow((i128)a, z, &n), show(o, n);
            o = __builtin_add_overflow(x, y, &r), show(o, r);
            o = __builtin_sub_overflow(x, y, &r), show(o, r);
            o = __builtin_mul_overflow(x, y, &r), show(o, r);
            o = __builtin_add_overflow(x, z, &w), show(o, w);
            o = __builtin_sub_overflow(x, z, &w), show(o, w);
            o = __builtin_mul_overflow(x, z, &w), show(o, w);
            o = __builtin_add_overflow(x, y, &n), show(o, n);
            o = __builtin_sub_overflow(x, y, &n), show(o, n);
            o = __builtin_mul_overflow(x, y, &n), show(o, n);
            o = __builtin_add_overflow(x, z, &n), show(o, n);
            o = __builtin_sub_overflow(x, z, &n), show(o, n);
            o = __builtin_mul_overflow(x, z, &n), show(o, n);
            o = __builtin_add_overflow((int)x, (unsigned)z, &n), show(o, n);
            o = __builtin_sub_overflow((int)x, (unsigned)z, &n), show(o, n);
            o = __builtin_mul_overflow((int)x, (unsigned)z, &n), show(o, n);
            o = __builtin_add_overflow((int)x, (unsigned)z, &m), show(o, m);
            o = __builtin_sub_overflow((int)x, (unsigned)z, &m), show(o, m);
            o = __builtin_mul_overflow((int)x, (unsigned)z, &m), show(o, m);
            printf("%lx\n", sum);
        }
    show(0, __builtin_bswap128(wide(5, 77)));
    printf("%lx\n", sum);
    return 0;
}
