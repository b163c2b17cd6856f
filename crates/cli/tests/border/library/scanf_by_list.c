#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static int get(const char *s, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int n = vsscanf(s, f, ap);
    va_end(ap);
    return n;
}
int main(void) {
    int x = 0;
    get("9", "%d", &x);
    if (x == 9) reach_error();
    return 0;
}
