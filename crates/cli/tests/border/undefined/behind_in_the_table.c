// Nobody looks behind the write for the executions in which it is invalid.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(4);
    int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    if (!p) {
        return 0;
    }
    if (d == 5) {
        n = 6 / (d - 4);
    }
    p[3] = 1;
    n = n % d;
    free(p);
    return n;
}
