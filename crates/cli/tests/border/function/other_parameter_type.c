int f(long a) { return a; }
int main(void) { int (*g)(int) = (int (*)(int))f; return g(2); }
