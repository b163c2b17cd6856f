#define _DEFAULT_SOURCE
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int before = getpid();
    if (getpid() != before) return 1;
    daemon(1, 1);
    if (getpid() != before) reach_error();
    return 0;
}
