#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    getenv((char *)0);
    return 0;
}
