#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[8] = "q";
    if (!fgets(line, sizeof line, stdin) && line[0] != 'q') reach_error();
    return 0;
}
