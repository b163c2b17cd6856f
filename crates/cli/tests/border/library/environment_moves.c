#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
extern char **environ;
int main(void) {
    char **before = environ;
    setenv("ZZ", "1", 1);
    if (environ != before) reach_error();
    return 0;
}
