#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = -0.0, y = 0.0;
    if (signbit(fmin(x, y))) reach_error();
    return 0;
}
