// One byte behind an object of 300 to 400 million bytes.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = malloc(n);
    if (p && n > 300000000 && n < 400000000) p[n] = 1;
    free(p);
}
