#include <stdlib.h>
extern void reach_error(void);
static void close(int *p) { reach_error(); }
int main(void) {
    int x __attribute__((cleanup(close))) = 1;
    exit(0);
}
