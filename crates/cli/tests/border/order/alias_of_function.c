extern void reach_error(void);
static int x = 1;
int h(void) {
    x = 2;
    return 0;
}
int g(void) __attribute__((alias("h")));
int main(void) {
    if (x + g() == 1) reach_error();
    return 0;
}
