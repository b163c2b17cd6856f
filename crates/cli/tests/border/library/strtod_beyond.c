#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    double x = strtod("-1e400", 0), y = strtod("1e-400", 0);
    if (!(x < -1e308) || y != 0 || errno == 0) reach_error();
    return 0;
}
