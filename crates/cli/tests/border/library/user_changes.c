#include <unistd.h>
extern void reach_error(void);
int main(void) {
    unsigned before = getuid();
    setuid(5);
    if (getuid() != before) reach_error();
    return 0;
}
