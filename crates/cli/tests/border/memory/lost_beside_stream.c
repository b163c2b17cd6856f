#include <stdio.h>
#include <stdlib.h>
int main(void) {
    FILE *f = fopen("x", "r");
    if (f) malloc(4);
    return 0;
}
