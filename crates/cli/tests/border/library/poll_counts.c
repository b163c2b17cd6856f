#include <poll.h>
extern void reach_error(void);
int main(void) {
    struct pollfd list[2] = {{3, POLLIN, 0}, {-1, POLLIN, 0}};
    int count = poll(list, 2, 0);
    if (count == 0 && list[0].revents) reach_error();
    if (count == 1 && !list[0].revents) reach_error();
    if (count > 1) reach_error();
    if (count >= 0 && (list[0].revents & POLLOUT)) reach_error();
    return 0;
}
