#include <stdlib.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 2) return 0;
    if (calloc(n, (size_t)-1) != 0 || calloc((size_t)-1 / 2, n < 3 ? 3 : n) != 0) reach_error();
    char *p = calloc(2, 3);
    if (!p || p[5]) reach_error();
    return 0;
}
