#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[3] = {10, 20, 30}, key = 20, none = 25;
    int *p = bsearch(&key, a, 3, sizeof *a, compare);
    if (p != a + 1 || bsearch(&none, a, 3, sizeof *a, compare)) reach_error();
    return 0;
}
