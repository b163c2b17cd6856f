#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a[2] = {0, 0};
    int (*get)(const char *, ...) = scanf;
    get("%d %d", &a[0], &a[1]);
    if (a[1] == 3) reach_error();
    return 0;
}
