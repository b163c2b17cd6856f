#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    ungetc('x', f);
    rewind(f);
    if (getc(f) != 'x') reach_error();
    return 0;
}
