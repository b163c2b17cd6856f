// Memory that comes back at the same address is another object.
#include <stdlib.h>

int main(void) {
    int *old = malloc(4), *new;
    free(old);
    new = malloc(4);
    *new = 1;
    *old = 2;
    free(new);
    return 0;
}
