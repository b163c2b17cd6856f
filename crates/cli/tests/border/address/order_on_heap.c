#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(4), *b = malloc(4);
    if (a && b && (unsigned long)a > (unsigned long)b) reach_error();
    return 0;
}
