#include <errno.h>
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 4, y = -7.5;
    errno = 0;
    volatile double r = sqrt(x) + floor(y) + fmod(y, x) + ldexp(x, 3);
    char *p = calloc(2, 4);
    if (errno != 0) reach_error();
    return p == 0;
}
