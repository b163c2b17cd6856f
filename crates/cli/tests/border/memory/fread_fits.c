#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char b[6];
    fread(b, 2, 3, stdin);
    return 0;
}
