#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("no such file", "r");
    if (!f) reach_error();
    return 0;
}
