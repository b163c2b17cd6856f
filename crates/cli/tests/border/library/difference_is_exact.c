#include <time.h>
extern void reach_error(void);
int main(void) {
    if (difftime(9007199254740993, 9007199254740992) != 1) reach_error();
    if (difftime(-5, 3) != -8) reach_error();
    return 0;
}
