// No implementation gives an object of almost 2^64 bytes: the allocation fails in any case.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0) return 0;
    char *p = malloc(n);
    assert(p == 0);
}
