#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand(5);
    if (rand() == 7) reach_error();
    return 0;
}
