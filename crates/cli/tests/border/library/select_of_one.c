#include <sys/select.h>
extern void reach_error(void);
int main(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(3, &set);
    int count = select(4, &set, 0, 0, 0);
    if (count == 1 && FD_ISSET(3, &set)) reach_error();
    return 0;
}
