#define _GNU_SOURCE
#include <time.h>
extern void reach_error(void);
int main(void) {
    long before = timezone;
    tzset();
    if (timezone != before) reach_error();
    return 0;
}
