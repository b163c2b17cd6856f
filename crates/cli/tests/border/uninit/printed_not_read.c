// What sprintf writes decides nothing.
#include <stdio.h>

int main(void) {
    char text[20];
    sprintf(text, "%d", 5);
    puts(text);
    return 0;
}
