#include <math.h>
extern void reach_error(void);
int main(void) {
    int e = 99;
    double whole = 99;
    if (frexp(12.0, &e) != 0.75 || e != 4) reach_error();
    if (modf(-3.25, &whole) != -0.25 || whole != -3.0) reach_error();
    return 0;
}
