#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) == 0) reach_error();
    return 0;
}
