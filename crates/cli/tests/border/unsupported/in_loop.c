#include <setjmp.h>
extern void reach_error(void);
static jmp_buf back;
int main(void) {
    volatile int n = 0;
    setjmp(back);
    n++;
    if (n == 3) reach_error();
    longjmp(back, 1);
}
