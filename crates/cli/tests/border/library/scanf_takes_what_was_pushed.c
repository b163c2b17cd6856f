#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char c;
    ungetc('x', stdin);
    if (scanf("%c", &c) == 1 && fgetc(stdin) != 'x') reach_error();
    return 0;
}
