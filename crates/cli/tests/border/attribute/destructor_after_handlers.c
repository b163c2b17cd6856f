#include <stdlib.h>
extern void reach_error(void);
static int x;
static void handler(void) { x = 1; }
__attribute__((destructor)) static void end(void) { if (x != 1) reach_error(); }
int main(void) {
    atexit(handler);
    return 0;
}
