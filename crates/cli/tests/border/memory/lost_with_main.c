// Local variables of main are gone when it returns.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    return p == 0;
}
