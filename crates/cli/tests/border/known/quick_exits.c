#include <stdlib.h>
#include <unistd.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    void (*const ways[])(int) = {exit, _exit, _Exit, quick_exit};
    ways[__VERIFIER_nondet_int() & 3](0);
    reach_error();
}
