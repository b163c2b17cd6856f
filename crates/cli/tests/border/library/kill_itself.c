#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    kill(getpid(), SIGKILL);
    reach_error();
    return 0;
}
