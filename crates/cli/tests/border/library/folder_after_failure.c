#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char path[10] = "abc";
    if (!getcwd(path, sizeof path) && path[0] != 'a') reach_error();
    return 0;
}
