#include <stdlib.h>
extern void reach_error(void);
static int state;
static void last(void) { if (state == 2) reach_error(); }
int main(void) {
    atexit(last);
    state = 2;
    return 0;
}
