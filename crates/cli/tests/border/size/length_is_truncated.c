// A length of 64 bits is squeezed through 32.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long need = __VERIFIER_nondet_ulong();
    unsigned have = need;
    char *p = malloc(have);
    if (p && need > 0) p[need - 1] = 1;
    free(p);
}
