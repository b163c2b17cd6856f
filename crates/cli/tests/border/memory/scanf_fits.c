#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int i;
    char c;
    char text[8];
    scanf("%d %c %7s", &i, &c, text);
    return 0;
}
