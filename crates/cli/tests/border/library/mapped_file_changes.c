#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int file = open("x", O_RDWR);
    if (file < 0) return 0;
    char *bytes = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) return 0;
    char before = *bytes, other = before + 1;
    pwrite(file, &other, 1, 0);
    if (*bytes != before) reach_error();
    return 0;
}
