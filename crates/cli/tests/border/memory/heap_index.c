// An index into allocated memory, in bounds by the loop.
#include <stdlib.h>

int main(void) {
    int *p = malloc(100 * sizeof(int));
    for (int i = 0; i < 100; i++) {
        p[i] = i;
    }
    free(p);
    return 0;
}
