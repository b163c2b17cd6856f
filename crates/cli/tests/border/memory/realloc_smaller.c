// It may be smaller.
#include <stdlib.h>

int main(void) {
    int *p = malloc(8);
    p = realloc(p, 4);
    p[1] = 1;
    free(p);
    return 0;
}
