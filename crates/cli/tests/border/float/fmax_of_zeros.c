#include <math.h>
extern void reach_error(void);
// C leaves the sign open, and what gcc makes of it depends on its options.
int main(void) {
    volatile double x = -0.0, y = 0.0;
    if (!signbit(fmax(x, y))) reach_error();
    return 0;
}
