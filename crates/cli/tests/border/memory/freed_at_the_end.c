// Freed memory is fine.
#include <stdlib.h>
int *kept;

int main(void) {
    kept = malloc(4);
    free(kept);
    return 0;
}
