#include <stdlib.h>
extern void reach_error(void);
static int x;
static int *find(int wanted) { return wanted ? &x : (int *)-12L; }
int main(void) {
    int *p = find(1);
    if ((unsigned long)p >= (unsigned long)-4095) return 1;
    *p = 1;
    if (x != 1) reach_error();
    return 0;
}
