#include <search.h>
#include <stddef.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[3] = {1, 2, 3}, key = 2;
    size_t n = 3;
    lfind(&key, a, &n, sizeof *a, compare);
    if (calls) reach_error();
    return 0;
}
