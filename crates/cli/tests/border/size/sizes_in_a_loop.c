// Objects of any size, one after the other: the third one is accessed behind its end.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        unsigned long n = __VERIFIER_nondet_ulong();
        char *p = malloc(n);
        if (!p) return 0;
        if (n > 0x200000000UL) {
            unsigned low = n;
            if (i == 2) p[low + n] = 1;
            else p[low] = 2;
        }
        free(p);
    }
}
