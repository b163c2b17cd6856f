#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p = malloc(8);
    if (!p) return 0;
    if ((unsigned long)p / 16 % 4 == 1) reach_error();
    return 0;
}
