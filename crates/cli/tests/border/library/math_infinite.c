// The sine of infinity is no number.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double s = sin(__VERIFIER_nondet_double());
    if (!(s >= -1 && s <= 1)) reach_error();
    return 0;
}
