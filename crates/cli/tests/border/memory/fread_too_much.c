#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char b[4];
    fread(b, 2, 3, stdin);
    return 0;
}
