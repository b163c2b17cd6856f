extern void reach_error(void);
typedef struct { int counter; } atomic_t;
static void atomic_inc(atomic_t *v) { __asm__ volatile("lock; incl %0" : "+m"(v->counter)); }
static void atomic_add(int i, atomic_t *v) { __asm__ volatile("lock; addl %1,%0" : "+m"(v->counter) : "ir"(i)); }
static int atomic_dec_and_test(atomic_t *v) {
    unsigned char c;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(v->counter), "=qm"(c) : : "memory");
    return c != 0;
}
static int atomic_add_negative(int i, atomic_t *v) {
    unsigned char c;
    __asm__ volatile("lock; addl %2,%0; sets %1" : "+m"(v->counter), "=qm"(c) : "ir"(i) : "memory");
    return c;
}
static int atomic_add_return(int i, atomic_t *v) {
    int add = i;
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(i), "+m"(v->counter) : : "memory");
    return i + add;
}
static int cmpxchg(int *p, int old, int new) {
    int ret;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(ret), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return ret;
}
static int xchg(int *p, int x) {
    __asm__ volatile("xchgl %0,%1" : "=r"(x), "+m"(*p) : "0"(x) : "memory");
    return x;
}
extern int __VERIFIER_nondet_int(void);

static long next(long *p) {
    long one = 1;
    __asm__ volatile("lock; xadd %0,%1" : "+r"(one), "+m"(*p) : : "memory");
    return one;
}
int main(void) {
    long x = 0x7fffffff;
    if (next(&x) != 0x7fffffff || x >= 0) reach_error();
    unsigned m[2] = {0, 0};
    __asm__ volatile("bts %1,%0" : "+m"(*m) : "r"(35L) : "memory");
    if (m[0] || m[1] != 8) reach_error();
    return 0;
}
