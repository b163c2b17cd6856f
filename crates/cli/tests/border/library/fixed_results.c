#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (getpagesize() != getpagesize()) reach_error();
    return 0;
}
