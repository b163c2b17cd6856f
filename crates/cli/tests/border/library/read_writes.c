#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char b[4] = {0};
    if (read(0, b, 4) == 4 && b[3] == 'z') reach_error();
    return 0;
}
