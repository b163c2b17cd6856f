#include <assert.h>
#include <fenv.h>
int main(void) {
    volatile double zero = 0;
    double x = 1 / zero;
    (void)x;
    assert(!fetestexcept(FE_DIVBYZERO));
    return 0;
}
