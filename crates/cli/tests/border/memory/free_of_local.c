// A local object may not be freed.
#include <stdlib.h>

int main(void) {
    int x = 1, *p = &x;
    free(p);
    return x;
}
