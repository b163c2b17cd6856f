extern void reach_error(void);
static int x = 1;
static void done(int *p) { x = 2; }
static int f(void) {
    int a __attribute__((cleanup(done))) = 0;
    return a;
}
int main(void) {
    if (x + f() == 1) reach_error();
    return 0;
}
