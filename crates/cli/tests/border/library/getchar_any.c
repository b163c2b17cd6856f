#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int c = getchar();
    if (c == 'k') reach_error();
    return 0;
}
