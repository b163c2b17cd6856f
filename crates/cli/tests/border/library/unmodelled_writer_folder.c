#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char b[256] = "";
    if (getcwd(b, sizeof b) && b[0] == '/') reach_error();
    return 0;
}
