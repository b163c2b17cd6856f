#include <signal.h>
extern void reach_error(void);
int main(void) {
    raise(SIGHUP);
    reach_error();
    return 0;
}
