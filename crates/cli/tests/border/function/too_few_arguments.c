int f(int a, int b) { return a + b; }
int main(void) { int (*g)() = f; return g(2); }
