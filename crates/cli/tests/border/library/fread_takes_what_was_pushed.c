#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char c;
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    ungetc('x', f);
    if (fread(&c, 1, 1, f) == 1 && fgetc(f) != 'x') reach_error();
    return 0;
}
