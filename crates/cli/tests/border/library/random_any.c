#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (rand() % 6 == rand() % 6) reach_error();
    return 0;
}
