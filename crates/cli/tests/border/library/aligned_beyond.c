#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p = aligned_alloc(64, 128);
    if (p && (uintptr_t)p % 64 != 0) reach_error();
    return 0;
}
