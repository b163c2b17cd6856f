#include <limits.h>
extern void reach_error(void);
int main(void) {
    int x = INT_MAX;
    int y =
        x + 1;
    if (y < 0) reach_error();
    return 0;
}
