#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *(*open)(const char *, const char *) = fopen;
    errno = 0;
    open("/nonexistent", "r");
    if (errno == ENOENT) reach_error();
    return 0;
}
