extern void reach_error(void);
static int x __attribute__((unused, section(".data.x"))) = 3;
__attribute__((noinline, cold, hot, visibility("hidden"))) int f(void) { return x; }
int main(void) {
    if (f() != 3) reach_error();
    return 0;
}
