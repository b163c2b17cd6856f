#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    double s = sin(x);
    if (x > -5 && x < 5 && !(s >= -1 && s <= 1)) reach_error();
    double l = log(x);
    if (x > 0 && l != l) reach_error();
    if (x < 0 && l == l) reach_error();
    double c = acos(x);
    if (x > 1 && c == c) reach_error();
    return 0;
}
