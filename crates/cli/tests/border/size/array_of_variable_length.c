// Arrays of variable length may be large.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 0x20000000 || n > 0x30000000) return 0;
    char a[n];
    a[n - 1] = 3;
    assert(a[n - 1] == 2);
}
