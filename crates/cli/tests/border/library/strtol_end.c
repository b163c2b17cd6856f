#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    const char *s = "12ab";
    char *end = 0;
    if (strtol(s, &end, 10) != 12 || end != s + 2 || *end != 'a') reach_error();
    return 0;
}
