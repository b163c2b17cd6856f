#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[16] = "";
    if (fgets(line, sizeof line, stdin) && line[0] == 'q') reach_error();
    return 0;
}
