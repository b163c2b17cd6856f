#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGTERM);
    reach_error();
    return 0;
}
