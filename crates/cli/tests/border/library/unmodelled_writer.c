#include <time.h>
extern void reach_error(void);
int main(void) {
    char b[8] = "";
    struct tm m = {0};
    strftime(b, sizeof b, "%H", &m);
    if (b[0] == '0') reach_error();
    return 0;
}
