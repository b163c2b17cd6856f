#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a[2] = {0};
    if (fread(a, sizeof *a, 2, stdin) == 2 && a[1] == 5) reach_error();
    return 0;
}
