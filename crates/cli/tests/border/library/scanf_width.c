#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 1;
    unsigned y = 1;
    if (scanf("%2d%3x", &x, &y) != 2) return 0;
    if (x > 99 || x < -9) reach_error();
    if (y > 0xfff && -y > 0xff) reach_error();
    return 0;
}
