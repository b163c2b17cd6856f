#include <stdarg.h>
extern void reach_error(void);
static int first(va_list list) { return va_arg(list, int); }
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int a = first(list), b = va_arg(list, int);
    va_end(list);
    return a * 10 + b;
}
int main(void) {
    if (sum(2, 4, 5) != 44 || sizeof(va_list) != 4) reach_error();
    return 0;
}
