#include <signal.h>
extern void reach_error(void);
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    if (sigaddset(&set, 32) != 0) reach_error();
    return 0;
}
