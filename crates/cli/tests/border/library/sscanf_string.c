#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[8] = "";
    sscanf("key=value", "%*[^=]=%5s", b);
    if (b[0] == 'v') reach_error();
    return 0;
}
