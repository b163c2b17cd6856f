// An abort ends the program, too.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    abort();
}
