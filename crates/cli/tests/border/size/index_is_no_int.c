// An index into an object of more than 2 GB does not fit into an int.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned m = __VERIFIER_nondet_uint();
    char *s = malloc(m);
    if (s) {
        unsigned r = __VERIFIER_nondet_uint();
        if (r < m) {
            s[r] = 1;
            assert((int)r >= 0);
        }
    }
}
