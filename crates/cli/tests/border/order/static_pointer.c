extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 0;
}
static int g(void) {
    static int (*p)(void) = f;
    return p();
}
int main(void) {
    if (x + g() == 1) reach_error();
    return 0;
}
