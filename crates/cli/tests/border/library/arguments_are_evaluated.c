extern void reach_error(void);
extern int __VERIFIER_nondet_int();
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    int n = 0, x = 0;
    __VERIFIER_nondet_int(n++);
    printf("%d", n++);
    free(malloc(n++));
    x = __builtin_expect(n++, 1);
    __sync_fetch_and_add(&x, n++);
    __atomic_store_n((n++, &x), 0, 5);
    if (n != 6) reach_error();
    return 0;
}
