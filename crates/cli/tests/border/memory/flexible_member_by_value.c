// A parameter is a copy without the items behind the header.
#include <stdlib.h>

struct list {
    int length;
    int items[];
};

static int first(struct list l) {
    return l.items[0];
}

int main(void) {
    struct list *l = malloc(sizeof *l + 4 * sizeof(int));
    l->length = 4;
    l->items[0] = 7;
    int result = first(*l);
    free(l);
    return result;
}
