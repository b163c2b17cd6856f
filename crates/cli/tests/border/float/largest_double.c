extern void reach_error(void);
#include <float.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > DBL_MAX && x < 2 * x)
        reach_error();
    return DBL_EPSILON < 1 ? 0 : 1;
}
