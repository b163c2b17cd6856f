#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = getenv("PATH"), *b = getenv("PATH");
    if (a && a == b) reach_error();
    return 0;
}
