#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[4];
    int n = snprintf(b, sizeof b, "%s", "long text");
    if (n != 9 || b[3] != 0 || b[0] != 'l') reach_error();
    return 0;
}
