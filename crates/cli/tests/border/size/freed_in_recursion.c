// A function that calls itself frees an object.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);

static void release(char *p, int n) {
    if (n > 0) release(p, n - 1);
    else free(p);
}

int main(void) {
    char *p = malloc(1);
    int n = __VERIFIER_nondet_int();
    if (!p) return 0;
    release(p, n);
    *p = 1;
}
