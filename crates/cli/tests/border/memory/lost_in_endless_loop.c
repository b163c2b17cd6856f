// Memory can be lost in a program that does not end.
#include <stdlib.h>

int main(void) {
    for (;;) {
        int *p = malloc(4);
        *p = 1;
    }
}
