#include <stdlib.h>
extern void reach_error(void);
extern void fill(int *);
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 0;
    fill(p);
    if (*p == 5) reach_error();
    return 0;
}
