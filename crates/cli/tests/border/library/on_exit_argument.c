#define _DEFAULT_SOURCE
#include <stdlib.h>
extern void reach_error(void);
static int x = 4;
static void last(int status, void *p) { if (status == 3 && *(int *)p == 4) reach_error(); }
int main(void) {
    on_exit(last, &x);
    return 3;
}
