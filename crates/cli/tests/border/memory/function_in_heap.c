// A function in a heap object is found.
#include <stdlib.h>
struct device {
    int (*read)(int);
};

static int twice(int x) {
    return x + x;
}

int main(void) {
    struct device *d = malloc(sizeof *d);
    d->read = twice;
    int r = d->read(2);
    free(d);
    return r - 4;
}
