#include <stdlib.h>
__CPROVER_size_t nondet_size_t(void);
int main(void) {
    __CPROVER_size_t n = nondet_size_t();
    __CPROVER_assume(n > 0 && n < 50);
    char *p = malloc(n);
    __CPROVER_assert(__CPROVER_r_ok(p, n), "whole");
    __CPROVER_assert(!__CPROVER_w_ok(p, n + 1), "beyond");
    __CPROVER_assert(__CPROVER_w_ok(p, 10), "ten");
    free(p);
    return 0;
}
