// Whether an abort must free, nobody has said.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    abort();
}
