#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 1;
    if (scanf("%2d", &x) == 1 && x == -9) reach_error();
    return 0;
}
