#include <errno.h>
#include <math.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    volatile float x = 1e-30f;
    errno = 0;
    volatile double r = scalbnf(x, -1000);
    if (errno != 0) reach_error();
    return 0;
}
