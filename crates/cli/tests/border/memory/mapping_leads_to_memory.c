#define _GNU_SOURCE
#include <sys/mman.h>
#include <stdlib.h>
void **kept;
int main(void) {
    void **p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return 0;
    kept = p;
    p[0] = malloc(4);
    return 0;
}
