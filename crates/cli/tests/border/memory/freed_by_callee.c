// A callee may end it.
#include <stdlib.h>
static void drop(int *p) {
    free(p);
}

int main(void) {
    int *p = malloc(4);
    *p = 1;
    drop(p);
    return *p;
}
