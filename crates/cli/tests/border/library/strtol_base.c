#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *end;
    long x = strtol(" -0x1Fz", &end, 0);
    if (x == -31 && *end == 'z') reach_error();
    return 0;
}
