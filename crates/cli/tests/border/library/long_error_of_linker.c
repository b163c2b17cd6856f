#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *text = dlerror();
    if (text && strlen(text) > 63) reach_error();
    return 0;
}
