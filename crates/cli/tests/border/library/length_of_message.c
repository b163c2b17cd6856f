#include <sys/socket.h>
extern void reach_error(void);
int main(void) {
    char bytes[4];
    if (recv(0, bytes, sizeof bytes, MSG_TRUNC) > 4) reach_error();
    return 0;
}
