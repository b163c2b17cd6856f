#define _GNU_SOURCE
#include <unistd.h>
#include <sys/socket.h>
#include <sys/random.h>
#include <poll.h>
#include <sys/select.h>
extern void reach_error(void);
int main(void) {
    char b[4] = "abc";
    if (send(1, b, 3, 0) > 3 || getrandom(b, 4, 0) > 4 || pwrite(1, b, 4, 0) > 4) reach_error();
    if (readlink("x", b, 4) > 4 || readlink("x", b, 4) < -1) reach_error();
    struct pollfd p = {0, POLLIN, 0};
    if (poll(&p, 1, 0) > 1) reach_error();
    fd_set set;
    FD_ZERO(&set);
    if (select(1, &set, 0, 0, 0) > 1) reach_error();
    return 0;
}
