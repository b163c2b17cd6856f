// Of a null pointer, free does nothing.
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int())
        p = malloc(4);
    free(p);
    return 0;
}
