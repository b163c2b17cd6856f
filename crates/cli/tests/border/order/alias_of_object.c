extern void reach_error(void);
int x = 1;
extern int y __attribute__((alias("x")));
static int f(void) {
    y = 2;
    return 0;
}
int main(void) {
    if (x + f() == 1) reach_error();
    return 0;
}
