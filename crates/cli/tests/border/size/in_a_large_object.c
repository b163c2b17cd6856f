// An object of 3 GB holds what was written to its end.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    char *q = malloc(3000000000UL);
    if (!q) return 0;
    q[2999999999UL] = 1;
    assert(q[2999999999UL] == 0);
    free(q);
}
