// check: --property all => 7 false, 9 not-true
// check: --property assert => not-true
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int zero = 0,
        x = 5 / zero;
    if (x < 100)
        assert(0);
    return 0;
}
