#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    setenv("A", "b", 1);
    char *p = getenv("A");
    if (!p || *p != 'b') reach_error();
    return 0;
}
