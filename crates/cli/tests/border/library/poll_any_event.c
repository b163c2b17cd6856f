#include <poll.h>
extern void reach_error(void);
int main(void) {
    struct pollfd one = {3, POLLIN, 0};
    if (poll(&one, 1, -1) == 1 && one.revents == (POLLIN | POLLHUP)) reach_error();
    return 0;
}
