#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (!aligned_alloc(3, 16)) reach_error();
    return 0;
}
