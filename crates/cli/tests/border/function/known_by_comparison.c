extern void __VERIFIER_assume(int);
extern void *__VERIFIER_nondet_pointer(void);
void noop(int x) { (void)x; }
int main(void) {
    void (*f)(int) = __VERIFIER_nondet_pointer();
    __VERIFIER_assume(f == noop || !f);
    if (f) f(0);
    return 0;
}
