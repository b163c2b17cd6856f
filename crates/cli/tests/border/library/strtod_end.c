#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char s[] = "1.5x", *end = s;
    double d = strtod(s, &end);
    if (d == 1.5 && end == s + 3) reach_error();
    return 0;
}
