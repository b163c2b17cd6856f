extern void reach_error(void);
static int wait(void) {
    for (int i = 0; i < 10; i++) i = 0;
    return 0;
}
static int fail(void) {
    reach_error();
    return 0;
}
int main(void) { return wait() + fail(); }
