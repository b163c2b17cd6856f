#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t t = 0;
    struct tm m = {0};
    localtime_r(&t, &m);
    if (m.tm_year == 70) reach_error();
    return 0;
}
