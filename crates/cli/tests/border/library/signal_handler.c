#include <signal.h>
extern void reach_error(void);
static volatile sig_atomic_t flag;
static void handler(int s) { flag = 1; }
int main(void) {
    signal(SIGINT, handler);
    raise(SIGINT);
    if (flag) reach_error();
    return 0;
}
