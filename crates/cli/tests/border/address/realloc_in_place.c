#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(16), *q = realloc(p, 8);
    if (p == q) reach_error();
    return 0;
}
