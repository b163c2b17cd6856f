#include <stdio.h>
#include <stdlib.h>
int main(void) {
    FILE *f = fopen("x", "r");
    free(f);
    return 0;
}
