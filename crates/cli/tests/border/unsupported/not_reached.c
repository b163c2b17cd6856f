#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    jmp_buf back;
    if (x > 3 && x < 3 && setjmp(back)) reach_error();
    return 0;
}
