extern void reach_error(void);
static int x;
__attribute__((constructor)) static void third(void) { x = x * 10 + 3; }
__attribute__((constructor(102))) static void second(void) { x = x * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { x = x * 10 + 1; }
int main(void) {
    if (x != 123) reach_error();
    return 0;
}
