void reach_error(void); int __VERIFIER_nondet_int(void);
int f(int a, int b) { return a + b; }
int h(int a) { return a; }
int main(void) { int (*g)(int) = h; if (__VERIFIER_nondet_int()) g = (int (*)(int))f; if (g(2) == 7) reach_error(); return 0; }
