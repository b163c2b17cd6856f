// What malloc gives has no value.
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof(int));
    p[0] = 1;
    if (p[1] == 7) {
        return 1;
    }
    free(p);
    return 0;
}
