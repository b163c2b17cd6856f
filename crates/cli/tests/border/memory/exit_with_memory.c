// exit ends the program, too.
#include <stdlib.h>

static void leave(void) {
    exit(1);
}

int main(void) {
    int *p = malloc(4);
    leave();
    free(p);
    return 0;
}
