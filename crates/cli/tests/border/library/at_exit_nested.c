#include <stdlib.h>
extern void reach_error(void);
static void inner(void) { reach_error(); }
static void outer(void) { atexit(inner); }
int main(void) {
    atexit(outer);
    exit(0);
}
