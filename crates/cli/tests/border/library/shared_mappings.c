#include <sys/mman.h>
#include <fcntl.h>
extern void reach_error(void);
int main(void) {
    int fd = open("f", O_RDWR);
    char *p = mmap(0, 4096, 3, MAP_SHARED, fd, 0), *q = mmap(0, 4096, 3, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED || q == MAP_FAILED) return 0;
    p[0] = 1;
    q[0] = 2;
    if (p[0] != 1) reach_error();
    return 0;
}
