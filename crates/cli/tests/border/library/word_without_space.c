#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char word[8];
    if (scanf("%7s", word) == 1 && word[0] == ' ') reach_error();
    return 0;
}
