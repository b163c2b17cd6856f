#include <sys/stat.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    mode_t before = umask(022);
    if (before > 0777 || umask(before) != 022) reach_error();
    if (sysconf(_SC_PAGESIZE) <= 0 || sysconf(_SC_OPEN_MAX) < -1) reach_error();
    return 0;
}
