#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    time_t *t = 0;
    localtime(t);
    return 0;
}
