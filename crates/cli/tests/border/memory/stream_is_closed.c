#include <stdio.h>
int main(void) {
    char line[100];
    FILE *f = fopen("x", "r");
    if (!f) return 1;
    while (fgets(line, sizeof line, f)) {}
    fclose(f);
    return 0;
}
