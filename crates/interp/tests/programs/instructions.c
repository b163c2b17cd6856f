// Instructions of x86 in inline assembly.
int printf(const char *, ...);

static unsigned map[6];

static int test_and_change_bit(int nr, volatile unsigned *addr) {
    int old;
    __asm__ volatile("lock; btc %2,%1\n\tsbb %0,%0" : "=r"(old), "+m"(*(volatile int *)addr) : "Ir"(nr) : "memory");
    return old;
}

int main(void) {
    int x = 40, y = 2, old;
    unsigned char c;
    __asm__("addl %2,%0; setne %1" : "+r"(x), "=q"(c) : "r"(y));
    printf("%d %d\n", x, c);
    __asm__ volatile("lock; xaddl %0,%1" : "+r"(y), "+m"(x) : : "memory");
    printf("%d %d\n", x, y);
    __asm__ volatile("cmpxchgl %3,%1; sete %2" : "=a"(old), "+m"(x), "=q"(c) : "r"(7), "0"(44) : "memory");
    printf("%d %d %d\n", old, x, c);
    unsigned long whole = -1UL;
    __asm__("movl $5,%k0" : "+r"(whole));
    printf("%lx\n", whole);
    __asm__("movb $-1,%h0; bswap %0" : "+Q"(x));
    printf("%x\n", x);
    int before = test_and_change_bit(-3, map + 1);
    int behind = test_and_change_bit(29, map) + test_and_change_bit(130, map);
    printf("%d %d", before, behind);
    for (int i = 0; i < 6; i++) printf(" %x", map[i]);
    printf("\n");
    return 0;
}
