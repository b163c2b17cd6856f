#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec v = {0, 0};
    clock_gettime(CLOCK_REALTIME, &v);
    if (v.tv_sec) reach_error();
    return 0;
}
