#include <limits.h>
extern void reach_error(void);
int main(void) {
    reach_error();
    int x = INT_MAX;
    return x + 1;
}
