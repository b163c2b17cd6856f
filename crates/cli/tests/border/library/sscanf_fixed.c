#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 0, y = 0;
    if (sscanf("12 -7", "%d %d", &x, &y) != 2 || x != 12 || y != -7) reach_error();
    return 0;
}
