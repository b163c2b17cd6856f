#include <stdlib.h>
extern void reach_error(void);
static int state;
static void first(void) { if (state != 12) reach_error(); }
static void second(void) { state = state * 10 + 2; }
static void third(void) { state = state * 10 + 1; }
int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    return 0;
}
