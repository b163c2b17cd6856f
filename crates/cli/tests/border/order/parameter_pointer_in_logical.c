extern void reach_error(void);
static int x = 1;
static int f(void) {
    x = 2;
    return 0;
}
static int g(int (*p)(void)) { return x + (p() || 0); }
int main(void) {
    if (g(f) == 1) reach_error();
    return 0;
}
