#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    return div(__VERIFIER_nondet_int(), -1).rem;
}
