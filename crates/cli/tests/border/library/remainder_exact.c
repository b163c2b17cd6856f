#include <math.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (remainder(7, 2) != -1 || remainder(5, 2) != 1 || fma(0x1p27 + 1, 0x1p27 + 1, -0x1p54) != 0x1p28 + 1) reach_error();
    if (!(x >= 0 && x < 64)) return 0;
    float r = remainderf(x, 4.0f);
    if (!(r >= -2.0f && r <= 2.0f)) reach_error();
    if (fmodf(x, 8.0f) == 3.0f && fmodf(x, 2.0f) != 1.0f) reach_error();
    return 0;
}
