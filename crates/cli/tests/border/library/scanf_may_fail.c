#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 5;
    if (scanf("%d", &x) != 1 && x == 5) reach_error();
    return 0;
}
