#include <stdio.h>
#include <stdlib.h>
int main(void) {
    short s;
    scanf("%d", (int *)&s);
    return 0;
}
