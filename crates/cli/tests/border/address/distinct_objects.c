#include <stdlib.h>
extern void reach_error(void);
int a, b;
int main(void) {
    int c, *p = malloc(sizeof *p);
    if (&a == &b || &a == &c || p == &a || p == &c) reach_error();
    return 0;
}
