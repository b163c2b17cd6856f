void reach_error(void);
static int f(int a, int b) { return a + b; }
int main(void) {
    int (*old)() = f;
    int r = old(2);
    if (r > 9)
        reach_error();
    return 0;
}
