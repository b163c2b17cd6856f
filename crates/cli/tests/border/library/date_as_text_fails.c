#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t t = time(0);
    if (!ctime(&t)) reach_error();
    return 0;
}
