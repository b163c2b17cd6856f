#include <assert.h>
#include <setjmp.h>
int main(void) {
    jmp_buf back;
    int n = setjmp(back);
    assert(n == 0);
    longjmp(back, 3);
}
