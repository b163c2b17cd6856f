#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand(1);
    int a = rand();
    srand(1);
    if (a != rand()) reach_error();
    return 0;
}
