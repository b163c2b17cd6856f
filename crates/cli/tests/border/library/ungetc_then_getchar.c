#include <stdio.h>
extern void reach_error(void);
int main(void) {
    ungetc('a', stdin);
    if (getchar() != 'a') reach_error();
    return 0;
}
