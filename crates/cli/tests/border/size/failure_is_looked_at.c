// What an allocation that fails leads to is looked at; realloc leaves the old object alone then.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(10);
    if (!p) return 1;
    char *q = realloc(p, 20);
    if (!q) {
        p[9] = 1;
        free(p);
        return 1;
    }
    int *a = calloc(4, sizeof *a);
    if (a) a[3] = 1;
    free(a);
    free(q);
    return 0;
}
