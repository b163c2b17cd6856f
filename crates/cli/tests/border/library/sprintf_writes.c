#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[16] = "";
    sprintf(b, "%c%d", 'x', 5);
    if (b[0] == 'x' && b[1] == '5') reach_error();
    return 0;
}
