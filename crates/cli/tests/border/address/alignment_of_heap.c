#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p = malloc(3);
    if (p && (unsigned long)p % 16) reach_error();
    return 0;
}
