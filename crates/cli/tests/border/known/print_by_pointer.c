#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int (*say)(const char *, ...) = printf;
    int x = 0;
    say("%d\n", x = 5);
    if (x == 5) reach_error();
    return 0;
}
