void reach_error(void);
void f(int x) { if (x != 2) reach_error(); }
int main(void) { void (*g)() = f; g(2); return 0; }
