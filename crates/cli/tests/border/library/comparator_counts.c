#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) {
    calls++;
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    int a[2] = {2, 1};
    qsort(a, 2, sizeof *a, compare);
    if (calls != 1) reach_error();
    return 0;
}
