#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(2);
    if (!p) return 0;
    p[0] = 'a';
    char *q = realloc(p, 100);
    if (!q) return 0;
    if (q[0] != 'a') reach_error();
    return 0;
}
