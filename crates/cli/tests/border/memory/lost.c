// The pointer to the first object is overwritten.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    p = malloc(4);
    free(p);
    return 0;
}
