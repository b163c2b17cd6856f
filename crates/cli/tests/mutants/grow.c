// An array that grows.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct array {
    int *items;
    int used, room;
};

static void add(struct array *a, int x) {
    if (a->used == a->room) {
        int *more = malloc(2 * a->room * sizeof(int));
        memcpy(more, a->items, a->used * sizeof(int));
        free(a->items);
        a->items = more;
        a->room *= 2;
    }
    a->items[a->used++] = x;
}

int main(void) {
    struct array a = {malloc(sizeof(int)), 0, 1};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 4; i++)
        add(&a, i);
    int sum = 0;
    for (int i = 0; i < a.used; i++)
        sum += a.items[i];
    free(a.items);
    return sum;
}
