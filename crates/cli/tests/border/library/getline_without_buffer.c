#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *line = 0;
    size_t size = 0;
    getline(&line, &size, stdin);
    if (!line) reach_error();
    free(line);
    return 0;
}
