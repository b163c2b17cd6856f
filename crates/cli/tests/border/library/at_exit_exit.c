#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); }
static void deep(int n) { if (n == 0) exit(3); deep(n - 1); }
int main(void) {
    atexit(last);
    deep(3);
    return 0;
}
