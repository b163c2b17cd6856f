extern void reach_error(void);
static int x = 1;
int h(void) {
    x = 2;
    return 0;
}
extern int g(void) __asm__("h");
int main(void) {
    if (x + g() == 1) reach_error();
    return 0;
}
