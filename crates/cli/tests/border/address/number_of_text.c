#include <stdio.h>
extern void reach_error(void);
int main(void) {
    puts((char *)0x4000);
    reach_error();
    return 0;
}
