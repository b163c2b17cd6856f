#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    scanf("%d", p);
    return 0;
}
