#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    char b[4];
    scanf("%s", b);
    return 0;
}
