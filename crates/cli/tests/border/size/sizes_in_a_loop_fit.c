// Objects of any size, one after the other, are accessed inside.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 2; i++) {
        unsigned long n = __VERIFIER_nondet_ulong();
        char *p = malloc(n);
        if (!p) return 0;
        if (n > 0x2000000000UL) {
            unsigned low = n;
            p[low] = 2;
            assert(p[low] == 2);
        }
        free(p);
    }
}
