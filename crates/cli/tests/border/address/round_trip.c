#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int x = 3;
    uintptr_t n = (uintptr_t)&x;
    int *p = (int *)n;
    *p = 4;
    if (x != 4) reach_error();
    return 0;
}
