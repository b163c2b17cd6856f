#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (close(3) == -1 && dup2(3, 5) == -1 && isatty(0) == 1 && sleep(3) == 3) reach_error();
    return 0;
}
