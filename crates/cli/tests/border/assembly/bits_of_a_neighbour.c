extern void reach_error(void);
#define LOCK ".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; "
static void set_bit(int nr, volatile unsigned long *addr) {
    __asm__ volatile(LOCK "bts %1,%0" : "+m"(*(volatile long *)addr) : "Ir"(nr) : "memory");
}
static void clear_bit(int nr, volatile unsigned long *addr) {
    __asm__ volatile(LOCK "btr %1,%0" : "+m"(*(volatile long *)addr) : "Ir"(nr));
}
static int test_and_set_bit(int nr, volatile unsigned long *addr) {
    int old;
    __asm__ volatile(LOCK "bts %2,%1\n\tsbb %0,%0" : "=r"(old), "+m"(*(volatile long *)addr) : "Ir"(nr) : "memory");
    return old;
}
static int test_and_clear_bit(int nr, volatile unsigned long *addr) {
    int old;
    __asm__ volatile(LOCK "btr %2,%1\n\tsbb %0,%0" : "=r"(old), "+m"(*(volatile long *)addr) : "Ir"(nr) : "memory");
    return old;
}
static int test_bit(int nr, const volatile unsigned long *addr) {
    int old;
    __asm__ volatile("bt %2,%1\n\tsbb %0,%0" : "=r"(old) : "m"(*(unsigned long *)addr), "Ir"(nr));
    return old;
}

static unsigned long map[2];
int main(void) {
    clear_bit(3, map);
    set_bit(-1, map + 1);
    if (map[0] == 1UL << 63 && !map[1]) reach_error();
    return 0;
}
