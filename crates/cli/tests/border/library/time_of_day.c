#include <sys/time.h>
extern void reach_error(void);
int main(void) {
    struct timeval v = {1, 1};
    gettimeofday(&v, 0);
    if (v.tv_sec != 1) reach_error();
    return 0;
}
