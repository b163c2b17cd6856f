#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    static char s[] = "ROBX=b";
    putenv(s);
    char *p = getenv("ROBX");
    if (p) *p = 'z';
    if (s[5] == 'z') reach_error();
    return 0;
}
