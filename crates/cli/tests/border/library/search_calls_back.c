#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[3] = {1, 2, 3}, key = 3;
    int *p = bsearch(&key, a, 3, sizeof *a, compare);
    if (p == a + 2 && calls > 0) reach_error();
    return 0;
}
