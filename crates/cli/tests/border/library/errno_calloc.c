#include <errno.h>
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    volatile size_t n = (size_t)1 << 33;
    errno = 0;
    char *p = calloc(n, n);
    if (p == 0 && errno != 0) reach_error();
    return 0;
}
