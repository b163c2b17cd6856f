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

static unsigned long map[4];
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int nr = __VERIFIER_nondet_int();
    if (nr < 128 || nr >= 192) return 0;
    set_bit(nr, map);
    if (map[2] != 1UL << (nr - 128) || map[0] || map[1] || map[3]) reach_error();
    if (!test_bit(nr - 192, map + 3)) reach_error();
    if (!test_and_clear_bit(nr - 64, map + 1) || map[2]) reach_error();
    return 0;
}
