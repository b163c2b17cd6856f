#include <stdio.h>
#include <wchar.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("x", "r");
    if (!f) return 0;
    if (ungetwc(L'x', f) == L'x' && getwc(f) != L'x') reach_error();
    return 0;
}
