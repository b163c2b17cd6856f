#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3 && x < 3) reach_error();
    jmp_buf back;
    return setjmp(back);
}
