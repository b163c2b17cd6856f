#include <sys/stat.h>
extern void reach_error(void);
int main(void) {
    struct stat s = {0};
    if (stat("/", &s) == 0 && s.st_mode) reach_error();
    return 0;
}
