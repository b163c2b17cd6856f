#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    char *p = malloc(3);
    free(p);
    perror(p);
    return 0;
}
