// Objects that own others.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct part {
    int value;
};
struct whole {
    struct part *first, *second;
};

static struct whole *make(int both) {
    struct whole *w = malloc(sizeof(struct whole));
    w->first = malloc(sizeof(struct part));
    w->first->value = 1;
    w->second = 0;
    if (both) {
        w->second = malloc(sizeof(struct part));
        w->second->value = 2;
    }
    return w;
}

int main(void) {
    struct whole *w = make(__VERIFIER_nondet_int());
    int sum = w->first->value;
    if (w->second) // null check
        sum += w->second->value;
    free(w->first);
    free(w->second);
    free(w);
    return sum;
}
