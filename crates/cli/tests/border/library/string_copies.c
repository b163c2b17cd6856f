#define _GNU_SOURCE
#include <string.h>
extern void reach_error(void);
int main(void) {
    char a[8], b[8];
    if (stpcpy(a, "ab") != a + 2 || mempcpy(b, a, 3) != b + 3) reach_error();
    if (strcmp(a, b) || memchr(a, 'b', 3) != a + 1 || strstr("xaby", a)[2] != 'y') reach_error();
    bzero(a, 2);
    if (a[1]) reach_error();
    return 0;
}
