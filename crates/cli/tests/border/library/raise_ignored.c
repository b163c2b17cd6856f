#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    reach_error();
    return 0;
}
