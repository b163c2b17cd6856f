#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (raise(9999) != 0) reach_error();
    return 0;
}
