#include <signal.h>
extern void reach_error(void);
int main(void) {
    if (signal(SIGKILL, SIG_IGN) != SIG_ERR || signal(1000, SIG_DFL) != SIG_ERR) reach_error();
    return 0;
}
