#include <stdio.h>
extern void reach_error(void);
extern int *__errno_location(void);
int main(void) {
    int *(*location)(void) = __errno_location;
    *location() = 0;
    fopen("/nonexistent", "r");
    if (*location() == 2) reach_error();
    return 0;
}
