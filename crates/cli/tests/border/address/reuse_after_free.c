#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    unsigned long a = (unsigned long)malloc(8);
    free((void *)a);
    unsigned long b = (unsigned long)malloc(8);
    if (a && a == b) reach_error();
    return 0;
}
