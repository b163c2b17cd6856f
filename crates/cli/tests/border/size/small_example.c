// A counterexample with a small object is found though sizes may be anything.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long len = __VERIFIER_nondet_ulong(), cap = __VERIFIER_nondet_ulong();
    char *p = malloc(cap);
    if (p && len <= cap) {
        char *t = p + len;
        assert(t == p + cap);
    }
}
