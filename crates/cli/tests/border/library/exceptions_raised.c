#include <assert.h>
#include <fenv.h>
int main(void) {
    assert(feraiseexcept(0) == 0);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_INVALID);
    assert(fetestexcept(FE_INVALID) == FE_INVALID);
    assert((fetestexcept(FE_OVERFLOW) & ~FE_OVERFLOW) == 0);
    return 0;
}
