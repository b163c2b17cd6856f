#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    const char *home = getenv("HOME");
    if (home && home[0] == '/') reach_error();
    return 0;
}
