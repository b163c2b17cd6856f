#include <math.h>
extern void reach_error(void);
int main(void) {
    // Every library's logarithm is about 1 here.
    long double one = logl(2.718281828459045L);
    if (!(one > 0.9L && one < 1.1L)) reach_error();
    return 0;
}
