#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[3] = {1, 1, 1}, key = 1;
    int *found = bsearch(&key, a, 3, sizeof *a, compare);
    if (found == a + 2) reach_error();
    return 0;
}
