// Nobody computes the cosine's inverse here, so nobody may say that it is wrong.
#include <math.h>
extern void reach_error(void);
int main(void) {
    double angle = acos(0.5);
    if (!(angle > 1.0)) reach_error();
    return 0;
}
