#include <sys/utsname.h>
#include <string.h>
int main(void) {
    struct utsname names;
    if (uname(&names) == 0) return strlen(names.sysname) > 3;
    return 0;
}
