extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned long long sum(unsigned a, unsigned b, unsigned c, unsigned d) {
    __asm__("addl %2,%0; adcl %3,%1" : "+&r"(a), "+&r"(b) : "r"(c), "r"(d));
    return (unsigned long long)b << 32 | a;
}
static int less(int a, int b) {
    unsigned char c;
    __asm__("cmpl %2,%1; setl %0" : "=q"(c) : "r"(a), "r"(b));
    return c;
}
static unsigned largest(unsigned a, unsigned b) {
    __asm__("cmpl %1,%0; cmovb %1,%0" : "+&r"(a) : "r"(b) : "cc");
    return a;
}
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (sum(a, 1, b, 2) != (unsigned long long)a + b + (3ULL << 32)) reach_error();
    if (less((int)a, (int)b) != ((int)a < (int)b)) reach_error();
    if (largest(a, b) != (a > b ? a : b)) reach_error();
    unsigned swapped;
    __asm__("bswap %0" : "=r"(swapped) : "0"(a));
    if (swapped >> 24 != (a & 0xff)) reach_error();
    unsigned rotated = a;
    __asm__("roll %%cl,%0" : "+r"(rotated) : "c"(8));
    if (rotated != (a << 8 | a >> 24)) reach_error();
    unsigned long wide = ~0UL;
    __asm__("movl %1,%k0" : "=r"(wide) : "r"(a));
    if (wide != a) reach_error();
    return 0;
}
