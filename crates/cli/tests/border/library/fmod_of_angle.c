#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= -1e300 && x <= 1e300)) return 0;
    double a = fmod(x, 360.0);
    if (a < 0) a += 360.0;
    // The sum may be rounded to 360.
    if (!(a >= 0 && a <= 360.0)) reach_error();
    return 0;
}
