// check: --property assert => not-true
// check: --property assert --analysis bdd => not-true
// check: --property assert --analysis predicate => not-true
// check: --property assert --analysis impact => not-true
// check: --property assert --analysis kind => not-true
// check: --property assert --analysis bmc => not-true
#include <assert.h>
#include <setjmp.h>
int main(void) {
    jmp_buf back;
    int n = setjmp(back);
    assert(n == 0);
    longjmp(back, 3);
}
