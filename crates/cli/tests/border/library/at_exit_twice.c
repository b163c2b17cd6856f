#include <stdlib.h>
extern void reach_error(void);
static int n;
static void count(void) { if (++n == 2) reach_error(); }
int main(void) {
    atexit(count);
    atexit(count);
    return 0;
}
