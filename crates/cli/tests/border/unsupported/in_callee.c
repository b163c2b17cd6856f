#include <setjmp.h>
extern void reach_error(void);
static jmp_buf back;
static void leave(void) { longjmp(back, 5); }
static void work(void) {
    int n = setjmp(back);
    if (n == 5) reach_error();
    else leave();
}
int main(void) {
    work();
    return 0;
}
