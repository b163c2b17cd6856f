// How much sprintf writes is not modelled: what it may have written is no error, and what it may have left is none that is missed.
#include <stdio.h>

int main(void) {
    char text[20];
    sprintf(text, "%d", 5);
    if (text[10] == '5') {
        return 1;
    }
    return 0;
}
