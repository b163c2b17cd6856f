#include <string.h>
extern void reach_error(void);
static char s[8] = "a";
static int grow(void) { strcat(s, "b"); return 0; }
static int cut(void) { s[0] = 0; return 0; }
int main(void) {
    int r = grow() + cut();
    if (s[0] == 0 && s[1] == 'b' && r == 0) reach_error();
    return 0;
}
