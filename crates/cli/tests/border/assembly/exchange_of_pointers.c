extern void reach_error(void);
int a = 1, b = 2;
int main(void) {
    int *p = &a, *q = &b, *old;
    __asm__ volatile("xchg %0,%1" : "+r"(q), "+m"(p) : : "memory");
    if (*p != 2 || *q != 1) reach_error();
    __asm__ volatile("lock; cmpxchgq %2,%1" : "=a"(old), "+m"(p) : "r"(q), "0"(&b) : "memory");
    if (old != &b || *p != 1) reach_error();
    __asm__ volatile("lock; cmpxchgq %2,%1" : "=a"(old), "+m"(p) : "r"(q), "0"(&b) : "memory");
    if (old != &a || *old != 1) reach_error();
    return 0;
}
