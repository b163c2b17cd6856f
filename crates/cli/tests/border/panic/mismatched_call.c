extern void reach_error(void);
static int f(int a, int b) { return a; }
int main(void) {
    int (*g)() = f;
    return g(1, 2) == ((int (*)(int, int))(void *)g)(1, 3) ? 0 : 1;
}
