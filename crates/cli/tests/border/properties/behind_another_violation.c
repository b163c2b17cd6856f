#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int zero = 0,
        x = 5 / zero;
    if (x < 100)
        assert(0);
    return 0;
}
