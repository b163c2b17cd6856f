extern void *__VERIFIER_nondet_pointer(void); extern void __VERIFIER_assume(int);
static int calls; static void one(int x) { calls += x; }
struct ops { int tag; void (*f)(int); };
int main(void) { struct ops local, *s = &local; local.f = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(s->f == one || s->f == 0); if (s->f) s->f(1); return calls; }
