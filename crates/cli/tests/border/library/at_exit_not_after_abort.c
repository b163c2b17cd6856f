#include <stdlib.h>
#include <unistd.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void last(void) { reach_error(); }
int main(void) {
    atexit(last);
    if (__VERIFIER_nondet_int()) abort();
    if (__VERIFIER_nondet_int()) _exit(1);
    if (__VERIFIER_nondet_int()) _Exit(1);
    quick_exit(0);
}
