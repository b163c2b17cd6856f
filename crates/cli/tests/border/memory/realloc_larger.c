// What it gives has the new size, and the old content.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    p = realloc(p, 8);
    p[1] = p[0];
    int r = p[1] - 1;
    free(p);
    return r;
}
