#include <unistd.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int r = close(3);
    if (r != 0 && r != -1) reach_error();
    r = dup2(3, 5);
    if (r != 5 && r != -1) reach_error();
    r = access("x", 0);
    if (r != 0 && r != -1) reach_error();
    r = isatty(0);
    if (r != 0 && r != 1) reach_error();
    if (sleep(3) > 3) reach_error();
    r = remove("x");
    if (r != 0 && r != -1) reach_error();
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    if (ftell(f) < -1) reach_error();
    r = fseek(f, 0, SEEK_SET);
    if (r != 0 && r != -1) reach_error();
    r = fclose(f);
    if (r != 0 && r != EOF) reach_error();
    return 0;
}
