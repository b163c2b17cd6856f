#include <string.h>
extern void reach_error(void);
int main(void) {
    void *(*copy)(void *, const void *, size_t) = memcpy;
    int a = 5, b = 0;
    copy(&b, &a, sizeof a);
    if (b != 5) reach_error();
    return 0;
}
