#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t t = time(0), u = time(0);
    struct tm *date = localtime(&t);
    if (!date) return 0;
    int year = date->tm_year;
    ctime(&u);
    if (date->tm_year != year) reach_error();
    return 0;
}
