#include <dlfcn.h>
extern void reach_error(void);
int exported;
int main(void) {
    dlopen("x.so", RTLD_NOW);
    if (exported) reach_error();
    return 0;
}
