// The result for 0 is undefined: the value of an uninitialised variable.
int __builtin_clzll(unsigned long long x) {
    int n;
    if (!x) return n;
    n = 0;
    for (; !(x >> 63); x <<= 1) n++;
    return n;
}
int __builtin_clz(unsigned x) { return __builtin_clzll(x) - 32; }
int __builtin_clzl(unsigned long x) { return __builtin_clzll(x) - (64 - 8 * (int)sizeof x); }
int __builtin_ctzll(unsigned long long x) {
    int n;
    if (!x) return n;
    n = 0;
    for (; !(x & 1); x >>= 1) n++;
    return n;
}
int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }
int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
int __builtin_popcountll(unsigned long long x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }
int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
int __builtin_ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
int __builtin_ffs(int x) { return x ? __builtin_ctzll((unsigned)x) + 1 : 0; }
int __builtin_ffsl(long x) { return x ? __builtin_ctzll((unsigned long)x) + 1 : 0; }
int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
int __builtin_parity(unsigned x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
