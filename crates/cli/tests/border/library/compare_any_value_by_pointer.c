#include <string.h>
extern void reach_error(void);
int main(void) {
    int (*compare)(const char *, const char *) = strcmp;
    int order = compare("b", "a");
    if (order == 7) reach_error();
    return 0;
}
