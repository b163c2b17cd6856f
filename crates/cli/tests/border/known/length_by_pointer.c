#include <ctype.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
    size_t (*len)(const char *) = strlen;
    if (len("four") != 4) reach_error();
    if (apply(abs, -3) != 3) reach_error();
    if (apply(toupper, 'a') != 'A') reach_error();
    return 0;
}
