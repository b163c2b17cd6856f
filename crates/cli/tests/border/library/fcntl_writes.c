#include <fcntl.h>
extern void reach_error(void);
int main(void) {
    unsigned ids[2] = {7, 7};
    fcntl(0, 17, ids);
    if (ids[0] != 7) reach_error();
    return 0;
}
