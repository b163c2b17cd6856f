#include <stdio.h>
int main(void) {
    char c;
    FILE *f = fopen("x", "r");
    if (!f) f = stdin;
    fread(&c, 1, 1, f);
    fclose(f);
    return 0;
}
