#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char *line = 0;
    size_t n = 0;
    if (getline(&line, &n, stdin) > 0 && line[0] == 'x') reach_error();
    return 0;
}
