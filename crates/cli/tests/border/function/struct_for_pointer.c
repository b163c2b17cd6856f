struct S { int a, b, c; };
int f(struct S *s) { return s->a; }
int main(void) { struct S s = {1, 2, 3}; return ((int (*)(struct S))f)(s); }
