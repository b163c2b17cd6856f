#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    wchar_t w[4] = {0};
    mbstowcs(w, "ab", 4);
    if (w[1] == L'b') reach_error();
    return 0;
}
