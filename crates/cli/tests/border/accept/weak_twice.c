extern void reach_error(void);
__attribute__((weak)) extern int f(void);
extern int f(void);
__attribute__((weak)) int f(void) { return 1; }
__attribute__((weak)) int x = 3;
int main(void) {
    if (f() != 1 || x != 3) reach_error();
    return 0;
}
