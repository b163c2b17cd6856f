extern void *__VERIFIER_nondet_pointer(void);
void noop(int x) { (void)x; }
int main(void) {
    void (*f)(int) = __VERIFIER_nondet_pointer();
    if (f != noop)
        f(0);
    return 0;
}
