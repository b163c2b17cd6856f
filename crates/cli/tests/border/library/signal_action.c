#include <signal.h>
extern void reach_error(void);
static void handler(int s) { reach_error(); }
int main(void) {
    struct sigaction a = {.sa_handler = handler};
    sigaction(SIGALRM, &a, 0);
    for (;;) {}
}
