#include <wchar.h>
extern void reach_error(void);
int main(void) {
    if (getwchar() == 0x10ffff) reach_error();
    return 0;
}
