#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char name[] = "/tmp/abXXXXXX";
    mktemp(name);
    if (name[0] != '/') reach_error();
    return 0;
}
