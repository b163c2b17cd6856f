// What calloc gives is zero.
#include <stdlib.h>

int main(void) {
    int *p = calloc(2, sizeof(int));
    if (p[1] == 7) {
        return 1;
    }
    free(p);
    return 0;
}
