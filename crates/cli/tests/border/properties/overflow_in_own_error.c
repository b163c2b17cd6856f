#include <limits.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
    int x = INT_MAX;
    x = x + __VERIFIER_nondet_int();
}
int main(void) {
    reach_error();
    return 0;
}
