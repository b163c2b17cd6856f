#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    return f ? fgetc(f) == 3 : 0;
}
