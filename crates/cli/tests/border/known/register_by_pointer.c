#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int (*at_end)(void (*)(void)) = atexit;
    at_end(reach_error);
    return 0;
}
