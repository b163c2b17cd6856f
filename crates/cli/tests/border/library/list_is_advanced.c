#include <stdarg.h>
extern void reach_error(void);
static int first(va_list list) { return va_arg(list, int); }
static int sum(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int a = first(list), b = va_arg(list, int), c = va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return a * 100 + b * 10 + c;
}
int main(void) {
    if (sum(2, 4, 5) != 454 || sizeof(va_list) != 24) reach_error();
    return 0;
}
