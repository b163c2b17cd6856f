unsigned short __builtin_bswap16(unsigned short x) { return x >> 8 | x << 8; }
unsigned int __builtin_bswap32(unsigned int x) {
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}
unsigned long long __builtin_bswap64(unsigned long long x) {
    return (unsigned long long)__builtin_bswap32(x) << 32 | __builtin_bswap32(x >> 32);
}
