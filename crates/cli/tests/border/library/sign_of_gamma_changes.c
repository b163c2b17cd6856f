#define _GNU_SOURCE
#include <math.h>
extern void reach_error(void);
int main(void) {
    signgam = 1;
    lgamma(-0.5);
    if (signgam != 1) reach_error();
    return 0;
}
