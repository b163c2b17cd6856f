#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[9];
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    ungetc('x', f);
    if (fgets(line, sizeof line, f) && fgetc(f) != 'x') reach_error();
    return 0;
}
