// check: --property unreach-call => false
// check: --property all => 8 false, 9 not-true
#include <limits.h>
extern void reach_error(void);
int main(void) {
    int x = INT_MAX;
    int y =
        x + 1;
    if (y < 0) reach_error();
    return 0;
}
