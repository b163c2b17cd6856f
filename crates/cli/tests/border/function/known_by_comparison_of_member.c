extern void __VERIFIER_assume(int);
struct s { void (*f)(int); };
void noop(int x) { (void)x; }
void check(struct s *s) {
    __VERIFIER_assume(s->f == noop || !s->f);
    if (s->f) s->f(0);
}
int main(void) { return 0; }
