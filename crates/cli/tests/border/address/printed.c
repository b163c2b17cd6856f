#include <stdio.h>
extern void reach_error(void);
int x;
int main(void) {
    char b[32];
    sprintf(b, "%p", (void *)&x);
    if (b[2] == '5') reach_error();
    return 0;
}
