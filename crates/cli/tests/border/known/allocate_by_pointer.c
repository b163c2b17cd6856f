#include <stdlib.h>
extern void reach_error(void);
static void *(*get)(size_t) = malloc;
static void (*give)(void *) = free;
int main(void) {
    int *p = get(sizeof *p), *q = get(sizeof *q);
    if (!p || !q) return 0;
    *p = 1;
    *q = 2;
    if (*p != 1 || p == q) reach_error();
    give(p);
    give(q);
    return 0;
}
