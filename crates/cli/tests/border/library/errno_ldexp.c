#include <errno.h>
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 1000;
    errno = 0;
    volatile double r = ldexp(x, 5000);
    if (errno != 0) reach_error();
    return 0;
}
