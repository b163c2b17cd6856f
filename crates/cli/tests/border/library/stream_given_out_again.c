#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("a", "r");
    if (!f) return 0;
    fclose(f);
    FILE *g = fopen("b", "r");
    if (g && f == g) reach_error();
    return 0;
}
