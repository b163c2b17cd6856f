#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char line[4] = "", guard = 7;
    if (fgets(line, sizeof line, stdin) && strlen(line) > 3) reach_error();
    if (guard != 7) reach_error();
    return 0;
}
