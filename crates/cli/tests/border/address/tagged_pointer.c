#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int x = 3;
    uintptr_t n = (uintptr_t)&x | 1;
    if (!(n & 1) || *(int *)(n & ~(uintptr_t)1) != 3) reach_error();
    return 0;
}
