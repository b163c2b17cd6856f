#include <string.h>
extern void reach_error(void);
int main(void) {
    int (*compare)(const char *, const char *) = 1 ? strcmp : strcoll;
    if (compare("ab", "ab") != 0 || compare("a", "b") >= 0) reach_error();
    return 0;
}
