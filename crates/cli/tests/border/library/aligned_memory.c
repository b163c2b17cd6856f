#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p = 0;
    if (posix_memalign(&p, 64, 16)) return 0;
    if (p == 0 || (unsigned long)p % 64) reach_error();
    ((char *)p)[15] = 1;
    return 0;
}
