#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand(3);
    if (rand() < 0) reach_error();
    return 0;
}
