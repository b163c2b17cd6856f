#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 10)
        return 0;
    int *q = malloc((n + 1) * sizeof *q);
    q[n] = 3;
    q = realloc(q, (n + 2) * sizeof *q);
    if (q[n] == 3)
        reach_error();
    char *p = malloc(4);
    p = realloc(p, 0);
    if (p)
        reach_error();
    free(q);
    return 0;
}
