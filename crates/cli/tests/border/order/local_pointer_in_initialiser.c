extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 0;
}
struct S { int a, b; };
int main(void) {
    int (*p)(void) = f;
    struct S s = {x, p()};
    if (s.a == 1) reach_error();
    return 0;
}
