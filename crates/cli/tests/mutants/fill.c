// Blocks that are filled, moved and cleared.
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 8)
        return 0;
    char *a = malloc(n), *b = malloc(n);
    memset(a, 1, n);
    memcpy(b, a, n);
    memmove(b, b + 1, n - 1);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i];
    free(a);
    free(b);
    return sum;
}
