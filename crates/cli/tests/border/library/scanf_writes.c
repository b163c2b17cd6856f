#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 0;
    scanf("%d", &x);
    if (x == 77) reach_error();
    return 0;
}
