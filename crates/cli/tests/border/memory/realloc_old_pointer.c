// What realloc was given has ended.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *q;
    *p = 1;
    q = realloc(p, 8);
    *p = 2;
    free(q);
    return 0;
}
