// The object is as large as it was allocated, whatever the type.
#include <stdlib.h>
union both {
    int small;
    long large;
};

int main(void) {
    union both *u = malloc(sizeof(int));
    u->small = 1;
    u->large = 2;
    free(u);
    return 0;
}
