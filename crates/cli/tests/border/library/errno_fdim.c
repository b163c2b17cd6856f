#include <errno.h>
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 1.7e308;
    errno = 0;
    volatile double r = fdim(x, -x);
    if (errno != 0) reach_error();
    return 0;
}
