// An allocation may fail, unless that is excluded.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
}
