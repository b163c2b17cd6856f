#include <stddef.h>
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(size_t);
int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 0 && x < 5);
    int y = klee_range(-3, 3, "y");
    klee_assert(x + y >= -2 && x + y <= 6);
    return 0;
}
