#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    int c = getc(f);
    if (c == EOF || ungetc(c, f) == EOF) return 0;
    if (getc(f) != c) reach_error();
    return 0;
}
