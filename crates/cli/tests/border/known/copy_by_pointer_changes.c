#include <string.h>
extern void reach_error(void);
struct tools { void *(*move)(void *, const void *, size_t); void *(*set)(void *, int, size_t); };
static const struct tools tools = {memmove, memset};
int main(void) {
    char a[4] = "abc";
    tools.set(a + 1, 'x', 1);
    tools.move(a, a + 1, 2);
    if (a[0] == 'x' && a[1] == 'c') reach_error();
    return 0;
}
