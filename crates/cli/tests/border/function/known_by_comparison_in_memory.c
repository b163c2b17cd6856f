extern void *malloc(unsigned long); extern void free(void *);
extern void __VERIFIER_assume(int);
struct s { void (*f)(int); };
void noop(int x) { (void)x; }
int main(void) {
    struct s *s = malloc(sizeof *s);
    __VERIFIER_assume(s->f == noop || !s->f);
    if (s->f) s->f(0);
    free(s);
    return 0;
}
