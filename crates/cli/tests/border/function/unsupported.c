// Arguments that cannot be made up leave the verdict open.
#include <stdarg.h>
extern void reach_error(void);
int list(va_list ap) {
    int x = va_arg(ap, int);
    if (x == 3)
        reach_error();
    return x;
}
int sized(int n, int a[n][n]) {
    if (a[0][0] == 3)
        reach_error();
    return n;
}
int main(void) { return 0; }
