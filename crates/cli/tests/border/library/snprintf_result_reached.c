#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[4] = "";
    if (snprintf(b, sizeof b, "%d", 12345) == 5 && b[2] == '3') reach_error();
    return 0;
}
