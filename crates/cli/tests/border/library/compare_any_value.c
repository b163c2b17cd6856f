#include <string.h>
extern void reach_error(void);
int main(void) {
    const char *a = "a";
    if (memcmp(a, "c", 1) == -2) reach_error();
    return 0;
}
