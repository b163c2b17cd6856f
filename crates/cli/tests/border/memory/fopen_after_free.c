#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    char *p = malloc(3);
    p[0] = 0;
    free(p);
    fopen(p, "r");
    return 0;
}
