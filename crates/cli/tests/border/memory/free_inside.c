// Only the start of an object may be freed.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    free(p + 1);
    return 0;
}
