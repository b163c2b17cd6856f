#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(7, -2);
    if (d.quot != -3 || d.rem != -1 || l.quot != -3 || l.rem != 1) reach_error();
    return 0;
}
