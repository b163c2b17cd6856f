int f();
int main(void) { return f(1) * 0; }
int f(a, b) int a, b; { return a; }
