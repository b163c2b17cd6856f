#define _GNU_SOURCE
#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t t = time(0);
    struct tm *date = localtime(&t);
    if (date && date->tm_zone[0] != 'U') reach_error();
    return 0;
}
