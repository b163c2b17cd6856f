#include <setjmp.h>
extern void reach_error(void);
static jmp_buf back;
int jump(void) { longjmp(back, 1); }
int main(void) {
    int x = 4;
    if (x != 4) reach_error();
    return 0;
}
