// The sum of a small negative rest and 360 is rounded to 360.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x > -1 && x < 1)) return 0;
    double a = fmod(x, 360.0);
    if (a < 0) a += 360.0;
    if (!(a < 360.0)) reach_error();
    return 0;
}
