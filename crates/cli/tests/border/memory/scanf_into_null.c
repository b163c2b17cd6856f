#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = 0;
    scanf("%d", p);
    return 0;
}
