#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    raise(SIGABRT);
    reach_error();
    return 0;
}
