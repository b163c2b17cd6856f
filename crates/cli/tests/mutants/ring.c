// A ring buffer on the heap.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct ring {
    int *data;
    int size, head, used;
};

static int put(struct ring *r, int x) {
    if (r->used >= r->size)
        return 0;
    r->data[(r->head + r->used) % r->size] = x;
    r->used++;
    return 1;
}

static int get(struct ring *r) {
    int x = r->data[r->head];
    r->head = r->head + 1 < r->size ? r->head + 1 : 0;
    r->used--;
    return x;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    struct ring *r = calloc(1, sizeof(struct ring));
    r->data = malloc(n * sizeof(int));
    r->size = n;
    for (int i = 0; i < 5; i++) {
        if (!put(r, i) && r->used > 0)
            get(r);
    }
    free(r->data);
    free(r);
    return 0;
}
