#include <stdarg.h>
extern void reach_error(void);
struct state { va_list list; };
static int next(struct state *s) { return va_arg(s->list, int); }
static int other(va_list *list) { return va_arg(*list, int); }
static int sum(int n, ...) {
    struct state s;
    va_start(s.list, n);
    int a = next(&s), b = other(&s.list), c = next(&s);
    va_end(s.list);
    return a * 100 + b * 10 + c;
}
int main(void) {
    if (sum(3, 1, 2, 3) != 123) reach_error();
    return 0;
}
