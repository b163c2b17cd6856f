extern void reach_error(void);
static int fast(void) { return 1; }
static int (*choose(void))(void) { return fast; }
int get(void) __attribute__((ifunc("choose")));
int main(void) {
    if (get() == 1) reach_error();
    return 0;
}
